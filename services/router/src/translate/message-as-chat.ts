import { type Json, listOf, objectOf, textOf } from '../domain/json.ts'
import type { Usage } from '../domain/usage.ts'
import { DONE, type Events } from './answer.ts'
import { detailOf } from './reasoning.ts'
import { chatUsageBody } from './usage.ts'

const FINISH: ReadonlyMap<unknown, string> = new Map([
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
])

const finishOf = (reason: unknown): string => FINISH.get(reason) ?? 'stop'

/** What a client of chat completions asked for, apart from the prompt. */
export interface ChatAsked {
  readonly wantsUsage: boolean
  /** Unix seconds. */
  readonly created: number
}

/** Converts a message to a chat completion. @returns undefined if it is not a message */
export function messageAsChat(answer: Json, usage: Usage, { created }: Pick<ChatAsked, 'created'>): Json | undefined {
  if (!Array.isArray(answer.content)) return undefined
  const blocks = listOf(answer.content)
  const text = blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text))
    .join('')
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(callOf)
  const thought = blocks.map(({ thinking }) => textOf(thinking)).join('')
  const details = blocks.map(detailOf).filter((detail) => detail !== undefined)
  return {
    ...{ id: answer.id, object: 'chat.completion', created, model: answer.model },
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: null,
          ...(thought === '' ? {} : { reasoning_content: thought }),
          ...(details.length > 0 ? { reasoning_details: details } : {}),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        logprobs: null,
        finish_reason: finishOf(answer.stop_reason),
      },
    ],
    usage: chatUsageBody(usage),
  }
}

const callOf = ({ id, name, input }: Json): Json => ({
  ...{ id, type: 'function' },
  function: { name, arguments: JSON.stringify(input ?? {}) },
})

/** Converts the events of a message to the chunks of a chat completion. */
export function messageEventsAsChat({ wantsUsage, created }: ChatAsked): Events {
  let head: Json = {}
  let stopReason: unknown
  let calls = 0
  /** Whether the current tool call has arguments yet; undefined if no tool is being called. */
  let called: 'empty' | 'given' | undefined
  const chunk = (choices: readonly Json[], usage: Json | null = null): Json => ({
    ...{ ...head, object: 'chat.completion.chunk', created, choices },
    ...(wantsUsage ? { usage } : {}),
  })
  const delta = (said: Json, finish: string | null = null): Json =>
    chunk([{ index: 0, delta: said, logprobs: null, finish_reason: finish }])
  const argumentsOf = (text: string): Json[] => {
    if (text === '' || !called) return []
    called = 'given'
    return [delta({ tool_calls: [{ index: calls - 1, function: { arguments: text } }] })]
  }
  const started = (block: Json): Json[] => {
    called = block.type === 'tool_use' ? 'empty' : undefined
    if (!called) return said(block)
    const { id, name, input } = block
    calls += 1
    const call = { index: calls - 1, id, type: 'function', function: { name, arguments: '' } }
    const whole = Object.keys(objectOf(input)).length > 0 ? JSON.stringify(input) : ''
    return [delta({ tool_calls: [call] }), ...argumentsOf(whole)]
  }
  const said = (piece: Json): Json[] => {
    const [text, thought, detail] = [textOf(piece.text), textOf(piece.thinking), pieceDetailOf(piece)]
    if (text !== '') return [delta({ content: text })]
    if (detail === undefined) return argumentsOf(textOf(piece.partial_json))
    return [delta({ ...(thought === '' ? {} : { reasoning_content: thought }), reasoning_details: [detail] })]
  }
  return {
    take(event) {
      switch (event.type) {
        case 'message_start': {
          const { id, model } = objectOf(event.message)
          head = { id, model }
          return [delta({ role: 'assistant', content: '', refusal: null })]
        }
        case 'content_block_start':
          return started(objectOf(event.content_block))
        case 'content_block_delta':
          return said(objectOf(event.delta))
        case 'content_block_stop':
          // A tool without parameters is called with no input, but clients parse the arguments they get.
          return called === 'empty' ? argumentsOf('{}') : []
        case 'message_delta':
          stopReason = objectOf(event.delta).stop_reason ?? stopReason
          return []
        default:
          return []
      }
    },
    end: (usage) => [delta({}, finishOf(stopReason)), ...(wantsUsage ? [chunk([], chatUsageBody(usage))] : []), DONE],
  }
}

/** A piece of thinking, or the signature that follows it. */
function pieceDetailOf(piece: Json): Json | undefined {
  const { type, thinking, signature, data } = piece
  if (type === 'redacted_thinking') return data ? detailOf(piece) : undefined
  if (textOf(signature) !== '') return { type: 'reasoning.text', signature }
  return textOf(thinking) === '' ? undefined : { type: 'reasoning.text', text: thinking }
}
