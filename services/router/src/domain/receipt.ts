import { createHash } from 'node:crypto'
import { isoTime } from '@callboard/values'
import { usdText } from './usd.ts'

/** A settled call, and its place in its key's chain. */
export interface SettledCall {
  readonly id: string
  readonly keyId: string
  readonly model: string
  readonly upstream: string | null
  readonly surface: string
  readonly source: string
  readonly usage: ReceiptUsage | null
  readonly estimated: boolean
  readonly ending: string
  readonly priceVersion: string
  /** Nano-USD. */
  readonly amount: bigint
  readonly cost: bigint
  readonly createdAt: Date
  readonly settledAt: Date
}

export interface ReceiptUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
}

/** A receipt's place in its key's chain. */
export interface Place {
  /** Consecutive from 1. */
  readonly seq: number
  /** SHA-256 of the previous receipt's text, in hexadecimal; null for the first. */
  readonly previous: string | null
}

/** A receipt as it is hashed and signed. */
export interface Receipt {
  readonly text: string
  /** SHA-256 of the text, in hexadecimal; the key's next receipt names it as `previous`. */
  readonly hash: string
}

/** A receipt from facts that the database wrote in the form of {@link receiptOf}. */
export function receiptAt(facts: string, place: Place): Receipt {
  const text = `${facts.slice(0, -1)},${JSON.stringify({ seq: place.seq, previous: place.previous }).slice(1)}`
  return { text, hash: createHash('sha256').update(text).digest('hex') }
}

/**
 * The receipt of a call: JSON without whitespace and with members in a fixed order, so that the database and this
 * function write the same bytes.
 */
export const receiptOf = (call: SettledCall, place: Place): Receipt => receiptAt(factsOf(call), place)

const factsOf = ({ usage, ...call }: SettledCall): string =>
  JSON.stringify({
    id: call.id,
    key: call.keyId,
    model: call.model,
    upstream: call.upstream,
    surface: call.surface,
    source: call.source,
    usage: usage && {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cacheReadTokens: usage.cacheReadTokens,
      cacheWriteTokens: usage.cacheWriteTokens,
      reasoningTokens: usage.reasoningTokens,
    },
    estimated: call.estimated,
    ending: call.ending,
    priceVersion: call.priceVersion,
    heldUsd: usdText(call.amount),
    amountUsd: usdText(call.cost),
    currency: 'USD',
    createdAt: isoTime(call.createdAt.getTime()),
    settledAt: isoTime(call.settledAt.getTime()),
  })
