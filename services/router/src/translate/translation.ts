import { type Json, objectOf } from '../domain/json.ts'
import type { Surface } from '../domain/surface.ts'
import type { Usage } from '../domain/usage.ts'
import { DONE, type Events } from './answer.ts'
import { chatAsMessage } from './chat-as-message.ts'
import { chatAsResponse } from './chat-as-response.ts'
import { chatToMessages } from './chat-to-messages.ts'
import { messageAsChat, messageEventsAsChat } from './message-as-chat.ts'
import { messagesToChat, wantsThinking } from './messages-to-chat.ts'
import { responsesToChat } from './responses-to-chat.ts'
import { chatChunksAsMessage } from './streams/chat-chunks-as-message.ts'
import { chatChunksAsResponse } from './streams/chat-chunks-as-response.ts'
import { Untranslatable } from './untranslatable.ts'

/** The translation of a call from one API to another, and of its answer back. */
export interface Translation {
  /** The API in which the upstream is called. */
  readonly wire: Surface
  /** The request; the sender sets its model and length. */
  readonly body: Json
  /** @param usage what is charged @returns the answer in the surface's shape; undefined if it is not a valid one */
  whole(answer: Json, usage: Usage): Json | undefined
  /** Translates the events of one stream. */
  events(): Events
}

type Translate = (body: Json, created: number) => Translation

/** The surfaces for which upstreams of the other shape are also asked. */
const TRANSLATIONS: ReadonlyMap<Surface, Translate> = new Map<Surface, Translate>([
  ['chat', chatByMessages],
  ['messages', messagesByChat],
  ['responses', responsesByMessages],
])

/**
 * Translates a call for an upstream of the other shape.
 * @param created unix seconds
 * @returns undefined for a surface without an equivalent in the other shape
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

/** Goes through a chat completion, which covers all that both APIs have. */
function responsesByMessages(body: Json, created: number): Translation {
  const asked = { body, created }
  return {
    ...{ wire: 'messages', body: responsesToMessages(body) },
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

/** The members of a response that a chat has under another name. */
const RESPONSE_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['messages', 'input'],
  ['response_format', 'text'],
])

/** @throws Untranslatable with the client's own name for the member */
function responsesToMessages(body: Json): Json {
  try {
    return chatToMessages(responsesToChat(body))
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error
    throw new Untranslatable(RESPONSE_MEMBERS.get(error.field) ?? error.field, error.message)
  }
}
