import { type Json, objectOf } from '../domain/json.ts'
import type { Surface } from '../domain/surface.ts'
import type { Usage } from '../domain/usage.ts'
import { DONE, type Events } from './answer.ts'
import { chatAsMessage, chatChunksAsMessage } from './chat-as-message.ts'
import { chatAsResponse } from './chat-as-response.ts'
import { chatChunksAsResponse } from './chat-chunks-as-response.ts'
import { chatToMessages } from './chat-to-messages.ts'
import { messageAsChat, messageEventsAsChat } from './message-as-chat.ts'
import { messagesToChat, wantsThinking } from './messages-to-chat.ts'
import { responsesToChat } from './responses-to-chat.ts'

/** A call of one API as a call of another, and the way back of its answer. */
export interface Translation {
  /** The API in which the upstream is asked. */
  readonly wire: Surface
  /** The request; its model and its length are set by who sends it. */
  readonly body: Json
  /** @param usage what is charged @returns the answer as the surface has it; undefined for what is none */
  whole(answer: Json, usage: Usage): Json | undefined
  /** Puts the events of one stream. */
  events(): Events
}

type Translate = (body: Json, created: number) => Translation

/** The surfaces that an upstream of the other shape is asked for, too. */
const TRANSLATIONS: ReadonlyMap<Surface, Translate> = new Map<Surface, Translate>([
  ['chat', chatByMessages],
  ['messages', messagesByChat],
  ['responses', responsesByMessages],
])

/**
 * A call as an upstream of the other shape is asked for it.
 * @param created unix seconds
 * @returns undefined for a surface that the other shape has nothing like
 * @throws Untranslatable
 */
export const translationOf = (surface: Surface, body: Json, created: number): Translation | undefined =>
  TRANSLATIONS.get(surface)?.(body, created)

function chatByMessages(body: Json, created: number): Translation {
  const asked = { created, wantsUsage: objectOf(body.stream_options).include_usage === true }
  return {
    ...{ wire: 'messages', body: chatToMessages(body) },
    whole: (answer, usage) => messageAsChat(answer, usage, asked),
    events: () => messageEventsAsChat(asked),
  }
}

function messagesByChat(body: Json): Translation {
  const asked = { thinking: wantsThinking(body) }
  return {
    ...{ wire: 'chat', body: messagesToChat(body) },
    whole: (answer, usage) => chatAsMessage(answer, usage, asked),
    events: () => chatChunksAsMessage(asked),
  }
}

/** By way of a chat completion, which has all that both of them have. */
function responsesByMessages(body: Json, created: number): Translation {
  const asked = { body, created }
  return {
    ...{ wire: 'messages', body: chatToMessages(responsesToChat(body)) },
    whole(answer, usage) {
      const chat = messageAsChat(answer, usage, asked)
      return chat && chatAsResponse(chat, usage, asked)
    },
    events() {
      const [chunks, events] = [messageEventsAsChat({ created, wantsUsage: false }), chatChunksAsResponse(asked)]
      const put = (all: readonly Json[]) => all.filter((one) => one !== DONE).flatMap((one) => events.take(one))
      return {
        take: (event) => put(chunks.take(event)),
        end: (usage) => [...put(chunks.end(usage)), ...events.end(usage)],
      }
    },
  }
}
