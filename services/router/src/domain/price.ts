import { baseUnits } from '@callboard/values'
import { z } from 'zod'
import type { Usage } from './usage.ts'
import { nanoUsdOf } from './usd.ts'

/** Decimals of a pico-USD amount, the unit of token prices: 1 USD is 10^12. */
const PICO_DECIMALS = 12
const PICO_PER_NANO = 1_000n

const usdOf = (decimals: number) =>
  z
    .string('must be decimal text in quotes, for example "0.0000025"')
    .regex(
      new RegExp(`^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,${decimals}})?$`),
      `must be a decimal USD amount with at most ${decimals} decimals`,
    )

const PerToken = usdOf(PICO_DECIMALS)
const PerPiece = usdOf(9)

const perToken = {
  prompt: PerToken,
  completion: PerToken,
  /** If absent, a cached token costs the same as any input token of the same row. */
  cacheRead: PerToken.optional(),
  cacheWrite: PerToken.optional(),
  /** If absent, a reasoning token costs the same as any output token of the same row. */
  reasoning: PerToken.optional(),
}

/** The price of every token of a call with more input tokens than `above`. */
const PriceTier = z.strictObject({
  above: z.int('must be a whole number').positive('must be at least 1').max(100_000_000, 'must be at most 100000000'),
  ...perToken,
})
type PriceTier = z.output<typeof PriceTier>

/** A model's prices as its operator writes them, in decimal USD text: per token, per request, per image. */
export const PriceRow = z.strictObject({
  /** The name by which receipts cite these prices. */
  version: z.string().min(1, 'must not be empty').max(64, 'must have at most 64 characters'),
  ...perToken,
  request: PerPiece.optional(),
  image: PerPiece.optional(),
  tiers: z
    .array(PriceTier)
    .min(1, 'must name at least one')
    .max(8, 'must be at most 8')
    .refine((tiers) => tiers.every(({ above }, at) => above > (tiers[at - 1]?.above ?? 0)), 'must be in rising order')
    .optional(),
})
export type PriceRow = z.output<typeof PriceRow>

/** Prices per token, in pico-USD. */
export interface Rates {
  readonly promptPico: bigint
  readonly completionPico: bigint
  readonly cacheReadPico: bigint
  readonly cacheWritePico: bigint
  readonly reasoningPico: bigint
}

/** A model's prices: pico-USD per token, nano-USD per request and per image. */
export interface Price extends Rates {
  readonly version: string
  readonly requestNano: bigint
  readonly imageNano: bigint
  /** Token prices that apply instead to longer inputs, in rising order. */
  readonly tiers: readonly (Rates & { readonly above: number })[]
}

/** The tier that applies to an input; undefined below the first. */
export const tierOf = <One extends { readonly above: number }>(
  tiers: readonly One[],
  inputTokens: number,
): One | undefined => tiers.findLast(({ above }) => inputTokens > above)

/** The token prices of a call, by the length of its whole input. */
export const ratesFor = (price: Price, inputTokens: number): Rates => tierOf(price.tiers, inputTokens) ?? price

const read = new WeakMap<PriceRow, Price>()

/**
 * The prices of a row. Each row is read once: it never changes until the file is read again.
 * @throws RangeError for a text that {@link PriceRow} refuses
 */
export function priceOf(row: PriceRow): Price {
  const known = read.get(row)
  if (known) return known
  const price = readPrice(row)
  read.set(row, price)
  return price
}

function readPrice(row: PriceRow): Price {
  return {
    version: row.version,
    ...readRates(row),
    requestNano: nanoUsdOf(row.request ?? '0'),
    imageNano: nanoUsdOf(row.image ?? '0'),
    tiers: (row.tiers ?? []).map((tier) => ({ above: tier.above, ...readRates(tier) })),
  }
}

function readRates(row: Omit<PriceTier, 'above'>): Rates {
  const { prompt, completion, cacheRead = prompt, cacheWrite = prompt, reasoning = completion } = row
  return {
    promptPico: picoUsdOf(prompt),
    completionPico: picoUsdOf(completion),
    cacheReadPico: picoUsdOf(cacheRead),
    cacheWritePico: picoUsdOf(cacheWrite),
    reasoningPico: picoUsdOf(reasoning),
  }
}

function picoUsdOf(text: string): bigint {
  const pico = baseUnits(text, PICO_DECIMALS)
  if (pico === undefined) throw new RangeError(`${JSON.stringify(text)} is no USD amount of at most 12 decimals`)
  return pico
}

/**
 * The cost of one call in nano-USD, including its request and images, rounded up once.
 * @param images the number of images in its input
 */
export function costOf(usage: Usage, price: Price, images = 0): bigint {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage
  const rates = ratesFor(price, inputTokens)
  const input =
    BigInt(inputTokens - cacheReadTokens - cacheWriteTokens) * rates.promptPico +
    BigInt(cacheReadTokens) * rates.cacheReadPico +
    BigInt(cacheWriteTokens) * rates.cacheWritePico
  const output =
    BigInt(outputTokens - reasoningTokens) * rates.completionPico + BigInt(reasoningTokens) * rates.reasoningPico
  return nanoOf(input + output) + piecesNano(price, images)
}

/** Pico-USD in nano-USD, rounded up. */
export const nanoOf = (pico: bigint): bigint => (pico + PICO_PER_NANO - 1n) / PICO_PER_NANO

/** The most pico-USD that an amount of nano-USD pays for. */
export const picoOf = (nano: bigint): bigint => nano * PICO_PER_NANO

/** A call's cost apart from its tokens, in nano-USD. */
export const piecesNano = (price: Price, images: number): bigint => price.requestNano + BigInt(images) * price.imageNano
