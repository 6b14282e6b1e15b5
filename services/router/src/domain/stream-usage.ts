import { errorIn, type Failure, failureOf } from './answered/error-in.ts'
import { SAID_IN, Said } from './answered/said.ts'
import { type Json, listOf, objectIn, objectOf, textOf } from './json.ts'
import type { SseFrame } from './sse.ts'
import { chatUsage, messagesClaim, messagesUsage, responsesUsage, type Usage } from './usage.ts'

/** Reads a stream as it passes through. */
export interface StreamReader {
  /** @returns what is sent on; undefined drops the event */
  take(frame: SseFrame): string | undefined
  /** @param usage what is charged @returns what is sent after the upstream's last event */
  end(usage: Usage): string
  /** The last plausible usage. */
  readonly usage: Usage | undefined
  /** Whether the upstream ended the stream as its API requires. */
  readonly done: boolean
  /** Whether the answer is complete, so that only its usage and its end are missing. */
  readonly finished: boolean
  /** Set if an event said that the answer failed. */
  readonly failed: Failure | undefined
  /** The number of the next event sent, which events of a response carry. */
  readonly next: number
  /** UTF-16 units of the answer so far: text, reasoning, names and arguments of tools. */
  readonly text: number
  /** The answer so far, in parts. */
  readonly said: readonly string[]
}

const jsonOf = ({ data }: SseFrame): Json | undefined => (data === undefined ? undefined : objectIn(data))

/** Rewrites an event with other data; its name and comments stay. */
const withData = ({ raw }: SseFrame, json: Json): string =>
  [
    ...raw.split(/\r\n|\n|\r/).filter((line) => line !== '' && !/^\uFEFF?data(:|$)/.test(line)),
    `data: ${JSON.stringify(json)}`,
    '',
    '',
  ].join('\n')

/**
 * Reads a streamed chat completion. Usage is always requested from the upstream; for a client that did not ask for it,
 * the chunk that carries nothing else is dropped and the empty member is removed from the others.
 */
export function chatStream({ wantsUsage }: { readonly wantsUsage: boolean }): StreamReader {
  const state = newState()
  const unfinished = new Set<unknown>()
  const take = (frame: SseFrame): string | undefined => {
    if (frame.data?.trim() === '[DONE]') return ended(state) ? frame.raw : undefined
    const json = jsonOf(frame)
    const error = json && errorIn(json)
    if (error || frame.event === 'error') state.failed ??= failureOf(error ?? json)
    if (!json) return frame.raw
    state.begun ||= Array.isArray(json.choices)
    state.usage = chatUsage(json) ?? state.usage
    SAID_IN.chat(state.said, json)
    for (const { index, finish_reason: reason } of listOf(json.choices)) {
      if (textOf(reason)) unfinished.delete(index)
      else unfinished.add(index)
      state.finished = unfinished.size === 0
    }
    if (wantsUsage || !('usage' in json)) return frame.raw
    const { usage, ...rest } = json
    if (usage === null) return withData(frame, rest)
    return Array.isArray(rest.choices) && rest.choices.length === 0 ? undefined : frame.raw
  }
  return readerOf(state, take)
}

/** Reads a streamed response; its last event carries the usage. */
export function responsesStream(): StreamReader {
  const state = { ...newState(), next: 0 }
  const take = (frame: SseFrame): string => {
    const json = jsonOf(frame)
    const type = json?.type
    if (!json || typeof type !== 'string') return frame.raw
    const { sequence_number: number } = json
    if (Number.isSafeInteger(number)) state.next = (number as number) + 1
    SAID_IN.responses(state.said, json)
    if (type === 'error') state.failed ??= failureOf(errorIn(json) ?? json)
    if (/^response\.(completed|incomplete|failed)$/.test(type)) {
      state.usage = responsesUsage(json.response) ?? state.usage
      state.done = true
      if (type === 'response.failed') state.failed ??= failureOf(objectOf(json.response).error)
    }
    return frame.raw
  }
  return readerOf(state, take)
}

/**
 * Reads a streamed message: its start carries the usage of the input, each `message_delta` that of the output so far. A
 * stream that ends with only the start's usage has none, since that was written before the answer.
 */
export function messagesStream(): StreamReader {
  const state = newState()
  let claim: unknown
  let isCounted = false
  const take = (frame: SseFrame): string | undefined => {
    const json = jsonOf(frame)
    if (!json) return frame.raw
    SAID_IN.messages(state.said, json)
    if (json.type === 'message_start') {
      state.begun = true
      claim = json.message
      state.usage = messagesUsage(claim)
    }
    if (json.type === 'message_delta') {
      const usage = messagesUsage(claim, json)
      if (usage) {
        claim = messagesClaim(claim, json)
        state.usage = usage
        isCounted ||= typeof objectOf(json.usage).output_tokens === 'number'
      }
    }
    if (json.type === 'error') state.failed ??= failureOf(json.error)
    if (json.type !== 'message_stop') return frame.raw
    if (!isCounted) state.usage = undefined
    return ended(state) ? frame.raw : undefined
  }
  return readerOf(state, take)
}

const newState = () => ({
  usage: undefined as Usage | undefined,
  /** Whether an event of an answer has arrived. */
  begun: false,
  done: false,
  finished: false,
  failed: undefined as Failure | undefined,
  said: new Said(),
})

/** Ends a stream, unless nothing of an answer came: that is no answer, and its end is not sent on. */
function ended(state: ReturnType<typeof newState>): boolean {
  state.done ||= state.begun || state.failed !== undefined
  return state.done
}

const readerOf = (
  state: Omit<StreamReader, 'take' | 'end' | 'next' | 'text' | 'said'> & {
    readonly next?: number
    readonly said: Said
  },
  take: StreamReader['take'],
): StreamReader => ({
  take,
  end: () => '',
  get usage() {
    return state.usage
  },
  get done() {
    return state.done
  },
  get finished() {
    return state.finished
  },
  get failed() {
    return state.failed
  },
  get next() {
    return state.next ?? 0
  },
  get text() {
    return state.said.units
  },
  get said() {
    return state.said.parts
  },
})
