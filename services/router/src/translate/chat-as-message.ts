import { reasoningIn, textOfContent } from '../domain/answered/chat-parts.ts'
import { type Json, listOf, objectIn, objectOf, textOf } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'
import { messagesUsageBody } from './usage.ts'

const STOP: ReadonlyMap<unknown, string> = new Map([
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'refusal'],
])

/** What a client of messages asked for, apart from the prompt. */
export interface MessageAsked {
  /** Whether it reads blocks of thinking. */
  readonly thinking: boolean
}

/** Why it stopped; a provider that calls a tool or refuses, but says `stop`, means the tool or the refusal. */
export const stopOf = (finish: unknown, { calls, refused }: { calls: boolean; refused: boolean }): string =>
  STOP.get(finish) ?? (calls ? 'tool_use' : refused ? 'refusal' : 'end_turn')

/** Converts a chat completion to a message. @returns undefined if it is not one */
export function chatAsMessage(answer: Json, usage: Usage, { thinking }: MessageAsked): Json | undefined {
  const [choice] = listOf(answer.choices)
  if (!choice) return undefined
  const message = objectOf(choice.message)
  const calls = listOf(message.tool_calls)
  const thought = thinking ? reasoningIn(message) : ''
  const text = textOfContent(message.content) || textOf(message.refusal)
  const stopped = { calls: calls.length > 0, refused: textOf(message.refusal) !== '' }
  return {
    ...{ id: answer.id, type: 'message', role: 'assistant', model: answer.model },
    content: [
      ...(thought === '' ? [] : [{ type: 'thinking', thinking: thought, signature: '' }]),
      ...(text === '' ? [] : [{ type: 'text', text, citations: null }]),
      ...calls.map((call, at) => toolUseOf(call, `${answer.id}_${at}`)),
    ],
    ...{ stop_reason: stopOf(choice.finish_reason, stopped), stop_sequence: null },
    usage: messagesUsageBody(usage),
  }
}

/** A tool call; truncated arguments become empty. @param otherwise the id of a call to which its provider gave none */
function toolUseOf({ id, function: called }: Json, otherwise: string): Json {
  const { name, arguments: text } = objectOf(called)
  return { type: 'tool_use', id: textOf(id) || otherwise, name, input: objectIn(textOf(text)) ?? {} }
}
