import type { ModelEntry } from './model.ts'
import { nanoOf, type Price, picoOf, piecesNano } from './price.ts'

/** What bounds the cost of a call before it is made. */
export interface Bounds {
  readonly inputTokens: number
  /** The most output tokens of one choice. */
  readonly maxOutput: number
  readonly choices: number
  /** Images in the input, where the model has a price for them. */
  readonly images?: number
}

/**
 * The most input tokens that a body can be: byte-level BPE makes no more tokens than there are UTF-8 bytes.
 * An image counts by the model's own bound, or fills the context where the model has none.
 */
export function inputBound(
  bodyBytes: number,
  images: number,
  { contextTokens, imageTokens }: Pick<ModelEntry, 'contextTokens' | 'imageTokens'>,
): number {
  if (images > 0 && imageTokens === undefined) return contextTokens
  return Math.min(bodyBytes + images * (imageTokens ?? 0), contextTokens)
}

/** The most that a call within bounds can cost, in nano-USD, rounded up: every token at its dearest. */
export function holdFor({ inputTokens, maxOutput, choices, images = 0 }: Bounds, price: Price): bigint {
  const output = BigInt(maxOutput) * BigInt(choices) * dearestOutput(price)
  return nanoOf(BigInt(inputTokens) * dearestInput(price) + output) + piecesNano(price, images)
}

/**
 * The longest output of each choice whose hold still fits.
 * @param left nano-USD
 * @param modelMax the most that the model can make
 * @returns 0 when none fits
 */
export function affordableOutput(
  left: bigint,
  { inputTokens, choices, images = 0 }: Omit<Bounds, 'maxOutput'>,
  price: Price,
  modelMax: number,
): number {
  const pico = picoOf(left - piecesNano(price, images)) - BigInt(inputTokens) * dearestInput(price)
  if (pico < 0n) return 0
  const each = BigInt(choices) * dearestOutput(price)
  if (each === 0n) return modelMax
  const longest = pico / each
  return longest < BigInt(modelMax) ? Number(longest) : modelMax
}

const dearestInput = ({ promptPico, cacheReadPico, cacheWritePico }: Price): bigint =>
  dearest(promptPico, dearest(cacheReadPico, cacheWritePico))

const dearestOutput = ({ completionPico, reasoningPico }: Price): bigint => dearest(completionPico, reasoningPico)

const dearest = (one: bigint, other: bigint): bigint => (one > other ? one : other)
