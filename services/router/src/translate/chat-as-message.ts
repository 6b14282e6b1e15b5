import { reasoningIn, textOfContent } from '../domain/answered/chat-parts.ts'
import { type Json, listOf, objectIn, objectOf, textOf } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'
import type { Events } from './answer.ts'
import { isComplete, type StreamedCall, StreamedCalls } from './streamed-calls.ts'
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
const stopOf = (finish: unknown, { calls, refused }: { calls: boolean; refused: boolean }): string =>
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

/**
 * The provider reports the input at the end, and so does `message_delta`, whose counts cover the whole message: clients
 * that replace the start's counts and clients that add to them both arrive at what is charged.
 */
const NOTHING_YET: Usage = {
  ...{ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 },
}

const named = (event: Json & { readonly type: string }): Json => event

/** Converts the chunks of a chat completion to the events of a message. */
export function chatChunksAsMessage({ thinking }: MessageAsked): Events {
  let isStarted = false
  let finish: unknown
  let refused = false
  let blocks = 0
  let open: 'text' | 'thinking' | 'tool_use' | undefined
  const calls = new StreamedCalls()
  /** The place of the block of each call that has begun. */
  const blockOf = new Map<StreamedCall, number>()
  /** The call whose block is open, or was the last. */
  let writing: StreamedCall | undefined
  /** Calls whose blocks wait until that of the one before is complete: a block is written in one go. */
  const waiting: StreamedCall[] = []
  let head: unknown

  const start = ({ id, model }: Json): Json[] => {
    if (isStarted) return []
    isStarted = true
    head = id
    const message = {
      ...{ id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null },
      usage: messagesUsageBody(NOTHING_YET),
    }
    return [named({ type: 'message_start', message })]
  }
  const close = (): Json[] => {
    if (open === undefined) return []
    open = undefined
    return [named({ type: 'content_block_stop', index: blocks - 1 })]
  }
  const begin = (block: Json & { readonly type: NonNullable<typeof open> }): Json[] => {
    const closed = close()
    open = block.type
    blocks += 1
    return [...closed, named({ type: 'content_block_start', index: blocks - 1, content_block: block })]
  }
  const delta = (index: number, said: Json): Json => named({ type: 'content_block_delta', index, delta: said })
  const says = (text: string, block: Json & { readonly type: 'text' | 'thinking' }, said: Json): Json[] => {
    if (text === '') return []
    const begun = open === block.type ? [] : [...waiting.splice(0).flatMap(write), ...begin(block)]
    return [...begun, delta(blocks - 1, said)]
  }
  const argumentsOf = (block: number, text: string): Json[] =>
    text === '' ? [] : [delta(block, { type: 'input_json_delta', partial_json: text })]
  const write = (call: StreamedCall): Json[] => {
    const { id, name, text } = call
    const begun = begin({ type: 'tool_use', id: id || `${head}_${blocks}`, name, input: {} })
    blockOf.set(call, blocks - 1)
    writing = call
    return [...begun, ...argumentsOf(blocks - 1, text)]
  }
  const mayBegin = () => open !== 'tool_use' || !writing || isComplete(writing)
  const writeWaiting = (): Json[] => {
    const written: Json[] = []
    while (waiting.length > 0 && mayBegin()) written.push(...waiting.splice(0, 1).flatMap(write))
    return written
  }
  const takeCall = (piece: Json): Json[] => {
    const { call, text, isFirst } = calls.take(piece)
    if (isFirst) waiting.push(call)
    const block = blockOf.get(call)
    return block === undefined ? writeWaiting() : argumentsOf(block, text)
  }
  return {
    take(chunk) {
      const [choice] = listOf(chunk.choices)
      if (!choice) return []
      finish = choice.finish_reason ?? finish
      const said = objectOf(choice.delta)
      refused ||= textOf(said.refusal) !== ''
      const thought = thinking ? reasoningIn(said) : ''
      const text = textOfContent(said.content) || textOf(said.refusal)
      return [
        ...start(chunk),
        ...says(
          thought,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: thought },
        ),
        ...says(text, { type: 'text', text: '', citations: null }, { type: 'text_delta', text }),
        ...listOf(said.tool_calls).flatMap(takeCall),
      ]
    },
    end: (usage) => [
      ...start({}),
      ...waiting.splice(0).flatMap(write),
      ...close(),
      named({
        type: 'message_delta',
        delta: { stop_reason: stopOf(finish, { calls: calls.size > 0, refused }), stop_sequence: null },
        usage: messagesUsageBody(usage),
      }),
      named({ type: 'message_stop' }),
    ],
  }
}
