import type { ModelEntry } from './model.ts'
import { nanoOf, type Price, picoOf, piecesNano, type Rates } from './price.ts'

/** What bounds the cost of a call in advance. */
export interface Bounds {
  readonly inputTokens: number
  /** The most output tokens of one choice. */
  readonly maxOutput: number
  readonly choices: number
  /** Images in the input, where the model has a price for them. */
  readonly images?: number
}

/**
 * The most input tokens that a body can hold: byte-level BPE never makes more tokens than there are UTF-8 bytes. An
 * image counts with the model's own bound, or as the whole context where the model has none.
 */
export function inputBound(
  bodyBytes: number,
  images: number,
  { contextTokens, imageTokens }: Pick<ModelEntry, 'contextTokens' | 'imageTokens'>,
): number {
  if (images > 0 && imageTokens === undefined) return contextTokens
  return Math.min(bodyBytes + images * (imageTokens ?? 0), contextTokens)
}

/** The maximum cost of a call within bounds, in nano-USD, rounded up: each token at the highest price in reach. */
export function holdFor({ inputTokens, maxOutput, choices, images = 0 }: Bounds, price: Price): bigint {
  const dearest = dearestWithin(price, inputTokens)
  const output = BigInt(maxOutput) * BigInt(choices) * dearest.output
  return nanoOf(BigInt(inputTokens) * dearest.input + output) + piecesNano(price, images)
}

/**
 * The longest output per choice whose hold still fits.
 * @param left nano-USD
 * @param modelMax the model's maximum
 * @returns 0 when none fits
 */
export function affordableOutput(
  left: bigint,
  { inputTokens, choices, images = 0 }: Omit<Bounds, 'maxOutput'>,
  price: Price,
  modelMax: number,
): number {
  const dearest = dearestWithin(price, inputTokens)
  const pico = picoOf(left - piecesNano(price, images)) - BigInt(inputTokens) * dearest.input
  if (pico < 0n) return 0
  const each = BigInt(choices) * dearest.output
  if (each === 0n) return modelMax
  const longest = pico / each
  return longest < BigInt(modelMax) ? Number(longest) : modelMax
}

/** The highest price per kind of token for a call with at most this many input tokens. */
function dearestWithin(price: Price, inputTokens: number): { readonly input: bigint; readonly output: bigint } {
  const reached: readonly Rates[] = [price, ...price.tiers.filter(({ above }) => inputTokens > above)]
  return {
    input: dearestOf(reached.flatMap((rates) => [rates.promptPico, rates.cacheReadPico, rates.cacheWritePico])),
    output: dearestOf(reached.flatMap((rates) => [rates.completionPico, rates.reasoningPico])),
  }
}

const dearestOf = (amounts: readonly bigint[]): bigint => amounts.reduce((most, one) => (one > most ? one : most), 0n)
