import { isObject } from '@callboard/x402'
import type { SseFrame } from './sse.ts'
import { chatUsage, messagesUsage, responsesUsage, type Usage } from './usage.ts'

/** What is read of a stream while it passes. */
export interface StreamReader {
  /** @returns what is sent on; undefined drops the event */
  take(frame: SseFrame): string | undefined
  /** The last usage that can be true. */
  readonly usage: Usage | undefined
  /** Whether the upstream ended the stream as its API does. */
  readonly done: boolean
  /** Whether an event said that the upstream failed. */
  readonly failed: boolean
  /** UTF-16 units of the answer so far: text, reasoning, arguments of tools. */
  readonly text: number
}

type Json = Readonly<Record<string, unknown>>

function jsonOf({ data }: SseFrame): Json | undefined {
  if (data === undefined || data === '[DONE]') return undefined
  try {
    const json: unknown = JSON.parse(data)
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0)
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/** How much of an answer one chunk of a chat completion carries. */
function chatText({ choices }: Json): number {
  return listOf(choices).reduce((sum, choice) => {
    const delta = objectOf(choice.delta)
    const calls = listOf(delta.tool_calls).reduce(
      (units, call) => units + lengthOf(objectOf(call.function).arguments),
      0,
    )
    return sum + lengthOf(delta.content) + lengthOf(delta.reasoning_content) + lengthOf(delta.refusal) + calls
  }, 0)
}

/**
 * Reads a streamed chat completion. Usage is asked of the upstream always; a client that did not ask gets the stream without it:
 * the chunk that has nothing else is dropped, and the empty member leaves the others.
 */
export function chatStream({ wantsUsage }: { readonly wantsUsage: boolean }): StreamReader {
  const state = { usage: undefined as Usage | undefined, done: false, failed: false, text: 0 }
  const take = (frame: SseFrame): string | undefined => {
    if (frame.data === '[DONE]') state.done = true
    const json = jsonOf(frame)
    if (!json) return frame.raw
    state.usage = chatUsage(json) ?? state.usage
    state.failed ||= Boolean(json.error)
    state.text += chatText(json)
    if (wantsUsage || !('usage' in json)) return frame.raw
    const { usage, ...rest } = json
    if (usage !== null && Array.isArray(rest.choices) && rest.choices.length === 0) return undefined
    return `data: ${JSON.stringify(rest)}\n\n`
  }
  return readerOf(state, take)
}

/** Reads a streamed response; its last event carries the usage. */
export function responsesStream(): StreamReader {
  const state = { usage: undefined as Usage | undefined, done: false, failed: false, text: 0 }
  const take = (frame: SseFrame): string => {
    const json = jsonOf(frame)
    const type = json?.type
    if (!json || typeof type !== 'string') return frame.raw
    if (type.endsWith('.delta')) state.text += lengthOf(json.delta)
    if (type === 'error') state.failed = true
    if (/^response\.(completed|incomplete|failed)$/.test(type)) {
      state.usage = responsesUsage(json.response) ?? state.usage
      state.done = true
      state.failed ||= type === 'response.failed'
    }
    return frame.raw
  }
  return readerOf(state, take)
}

/** Reads a streamed message: its start carries the input's usage, each delta of the message the output's so far. */
export function messagesStream(): StreamReader {
  const state = { usage: undefined as Usage | undefined, done: false, failed: false, text: 0 }
  let start: unknown
  const take = (frame: SseFrame): string => {
    const json = jsonOf(frame)
    if (!json) return frame.raw
    if (json.type === 'message_start') {
      start = json.message
      state.usage = messagesUsage(start) ?? state.usage
    }
    if (json.type === 'message_delta') state.usage = messagesUsage(start, json) ?? state.usage
    if (json.type === 'content_block_delta') {
      const { text, partial_json, thinking } = objectOf(json.delta)
      state.text += lengthOf(text) + lengthOf(partial_json) + lengthOf(thinking)
    }
    if (json.type === 'error') state.failed = true
    if (json.type === 'message_stop') state.done = true
    return frame.raw
  }
  return readerOf(state, take)
}

const readerOf = (state: Omit<StreamReader, 'take'>, take: StreamReader['take']): StreamReader => ({
  take,
  get usage() {
    return state.usage
  },
  get done() {
    return state.done
  },
  get failed() {
    return state.failed
  },
  get text() {
    return state.text
  },
})
