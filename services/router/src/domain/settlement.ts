import type { Failure } from './answered/error-in.ts'
import type { Bounds } from './estimate.ts'
import type { UpstreamEntry } from './model.ts'
import { costOf, type Price } from './price.ts'
import type { Usage } from './usage.ts'

/** UTF-16 units per token, for text that nothing counted. */
const UNITS_PER_TOKEN = 3

/** The estimated tokens of so many UTF-16 units of an answer. */
export const estimatedTokens = (units: number): number => Math.ceil(units / UNITS_PER_TOKEN)

/**
 * How a call ended. `seen` is how much of the answer arrived, in UTF-16 units of its text and of its tools’ names and
 * arguments; `said` is its content, in parts, where that may have to be counted.
 */
export type Ending =
  | { readonly kind: 'completed'; readonly usage: Usage; readonly seen?: number; readonly said?: readonly string[] }
  | { readonly kind: 'completed_without_usage'; readonly seen: number; readonly said?: readonly string[] }
  /** The client went away. */
  | { readonly kind: 'cancelled'; readonly usage?: Usage; readonly seen: number; readonly said?: readonly string[] }
  /** The upstream or the router failed after the answer began. */
  | { readonly kind: 'broken'; readonly usage?: Usage; readonly seen: number }
  | { readonly kind: 'failed_before_output' }
  /** The process that made the call died. */
  | { readonly kind: 'lost' }

/** What has arrived of a stream. */
export interface Arrived {
  readonly usage: Usage | undefined
  /** UTF-16 units. */
  readonly text: number
  readonly said: readonly string[]
  /** Set if an event said that the answer failed. */
  readonly failed: Failure | undefined
  /** Whether its upstream ended it as its API requires. */
  readonly done: boolean
}

/**
 * The ending of a stream. A dead gateway is our failure, and an error that has arrived is its upstream's; any other
 * client that left pays, for a whole answer fully.
 * @param endedBy who passes on no more of it
 */
export function endingOfStream(arrived: Arrived, endedBy: 'upstream' | 'client' | 'gateway'): Ending {
  const { usage, text: seen, said, failed, done } = arrived
  if (failed || endedBy === 'gateway') return { kind: 'broken', seen }
  if (done) return usage ? { kind: 'completed', usage, seen, said } : { kind: 'completed_without_usage', seen, said }
  if (endedBy === 'upstream') return { kind: 'broken', seen }
  return { kind: 'cancelled', seen, said, ...(usage ? { usage } : {}) }
}

/** The terms agreed when the call was admitted. */
export interface Terms extends Bounds {
  readonly price: Price
  /** Nano-USD; no more is ever charged. */
  readonly held: bigint
  /** Whether the upstream that answered bills for an answer whose client left before the first words. */
  readonly cancelled: UpstreamEntry['cancelled']
  /** The tokens of the request and of the answer so far, if they were counted. */
  readonly counted?: { readonly inputTokens: number; readonly outputTokens: number } | undefined
}

export interface Charge {
  /** Nano-USD, from 0 to what was held. */
  readonly cost: bigint
  readonly usage: Usage | undefined
  /** Whether part of the usage is the router's own estimate. */
  readonly estimated: boolean
  /** Whether the upstream claims more than was held; the client does not pay the excess. */
  readonly overclaimed: boolean
}

const FREE: Charge = { cost: 0n, usage: undefined, estimated: false, overclaimed: false }

/** The charge for an ending: nothing for our or the upstream's failures, else what arrived, up to the hold. */
export function chargeFor(ending: Ending, terms: Terms): Charge {
  switch (ending.kind) {
    case 'completed':
      return completed(ending, terms)
    case 'completed_without_usage':
      return charged(counted(ending.seen, terms), terms, true)
    case 'cancelled':
      if (ending.seen === 0 && (terms.cancelled === 'free' || !ending.usage?.inputTokens)) return FREE
      return ending.usage
        ? received(ending.usage, ending.seen, terms)
        : charged(counted(ending.seen, terms), terms, true)
    case 'broken':
    case 'failed_before_output':
    case 'lost':
      return FREE
  }
}

function charged(usage: Usage, { price, images, held }: Terms, estimated: boolean): Charge {
  const cost = costOf(usage, price, images)
  const isAbove = cost > held
  return { cost: isAbove ? atLeastNothing(held) : cost, usage, estimated, overclaimed: isAbove && !estimated }
}

const atLeastNothing = (nano: bigint): bigint => (nano < 0n ? 0n : nano)

/** Usage as counted, or else by length: input by its bound, output as seen; never more than the call could have had. */
const counted = (seen: number, { inputTokens, maxOutput, choices, counted: words }: Terms): Usage => ({
  inputTokens: Math.min(words?.inputTokens ?? Math.ceil(inputTokens / UNITS_PER_TOKEN), inputTokens),
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: Math.min(words?.outputTokens ?? estimatedTokens(seen), maxOutput * choices),
  reasoningTokens: 0,
})

/**
 * Whether a claim has zero for what there was: every call has input, and words are output. Upstreams that count nothing
 * claim it, and some claim the input only at the end.
 * @param said of a complete answer
 */
export const isUncounted = (claim: Usage, said: readonly string[] | undefined): boolean =>
  claim.inputTokens === 0 || hasUncountedWords(claim, said)

const hasUncountedWords = ({ outputTokens }: Usage, said: readonly string[] | undefined): boolean =>
  outputTokens === 0 && said !== undefined && said.length > 0

/** What the upstream claimed, with our count in place of its zeros. */
function completed({ usage, seen = 0, said }: Extract<Ending, { kind: 'completed' }>, terms: Terms): Charge {
  const ours = counted(seen, terms)
  return accepted(usage, hasUncountedWords(usage, said) ? ours : { ...ours, outputTokens: 0 }, terms)
}

/** What the upstream claimed before its client left is accepted; the output since then is counted if that is more. */
const received = (claim: Usage, seen: number, terms: Terms): Charge => accepted(claim, counted(seen, terms), terms)

/** The charge for a claim with our count of the input if it has none, and of the output if that is more. */
function accepted(claim: Usage, ours: Usage, terms: Terms): Charge {
  const claimed = charged(claim, terms, false)
  const inputTokens = claim.inputTokens || ours.inputTokens
  const outputTokens = Math.max(claim.outputTokens, ours.outputTokens)
  const isClaimed = inputTokens === claim.inputTokens && outputTokens === claim.outputTokens
  return claimed.overclaimed || isClaimed ? claimed : charged({ ...claim, inputTokens, outputTokens }, terms, true)
}
