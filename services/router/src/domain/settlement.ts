import type { Bounds } from './estimate.ts'
import type { UpstreamEntry } from './model.ts'
import { costOf, type Price } from './price.ts'
import type { Usage } from './usage.ts'

/** UTF-16 units that are taken for one token where nothing counted them. */
const UNITS_PER_TOKEN = 3

/** The tokens that so many UTF-16 units of an answer are taken for. */
export const estimatedTokens = (units: number): number => Math.ceil(units / UNITS_PER_TOKEN)

/**
 * How a call ended. `seen` is how much of the answer came, in UTF-16 units of its text and tool arguments; `said` is what
 * it says, in parts, where that may have to be counted.
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

/** What was agreed when the call was admitted. */
export interface Terms extends Bounds {
  readonly price: Price
  /** Nano-USD; no more is ever charged. */
  readonly held: bigint
  /** Whether the upstream that answered bills an answer whose client left before its first words. */
  readonly cancelled: UpstreamEntry['cancelled']
  /** What the words of the request and of the answer so far come to, where they were counted. */
  readonly counted?: { readonly inputTokens: number; readonly outputTokens: number } | undefined
}

export interface Charge {
  /** Nano-USD, from 0 to what was held. */
  readonly cost: bigint
  readonly usage: Usage | undefined
  /** Whether part of the usage is the router's own estimate. */
  readonly estimated: boolean
  /** Whether the upstream claims more than was held; the rest is not the client's to pay. */
  readonly overclaimed: boolean
}

const FREE: Charge = { cost: 0n, usage: undefined, estimated: false, overclaimed: false }

/** What an ending costs: failures of ours or the upstream's nothing, what was received its price, and never above the hold. */
export function chargeFor(ending: Ending, terms: Terms): Charge {
  switch (ending.kind) {
    case 'completed':
      return charged(ending.usage, terms, false)
    case 'completed_without_usage':
      return charged(counted(ending.seen, terms), terms, true)
    case 'cancelled':
      if (ending.seen === 0 && (terms.cancelled === 'free' || !ending.usage)) return FREE
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

/** As it was counted, or else by length: input as its bound says, output as it was seen; never more than the call could have had. */
const counted = (seen: number, { inputTokens, maxOutput, choices, counted: words }: Terms): Usage => ({
  inputTokens: Math.min(words?.inputTokens ?? Math.ceil(inputTokens / UNITS_PER_TOKEN), inputTokens),
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: Math.min(words?.outputTokens ?? estimatedTokens(seen), maxOutput * choices),
  reasoningTokens: 0,
})

/** What an upstream said before its client left is believed; the output since then is counted where it is more. */
function received(said: Usage, seen: number, terms: Terms): Charge {
  const { outputTokens } = counted(seen, terms)
  const claimed = charged(said, terms, false)
  return claimed.overclaimed || outputTokens <= said.outputTokens
    ? claimed
    : charged({ ...said, outputTokens }, terms, true)
}
