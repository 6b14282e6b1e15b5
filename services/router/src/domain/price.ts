import { baseUnits } from '@callboard/values'
import { z } from 'zod'
import type { Usage } from './usage.ts'
import { nanoUsdOf } from './usd.ts'

/** Decimals of a pico-USD amount, in which a token's price is counted: 1 USD is 10^12. */
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

/** A model's prices as its operator writes them, decimal USD text: for one token, one request, one image. */
export const PriceRow = z.strictObject({
  /** What receipts name these prices by. */
  version: z.string().min(1, 'must not be empty').max(64, 'must have at most 64 characters'),
  prompt: PerToken,
  completion: PerToken,
  /** Where absent, a cached token costs what any input token costs. */
  cacheRead: PerToken.optional(),
  cacheWrite: PerToken.optional(),
  /** Where absent, a reasoning token costs what any output token costs. */
  reasoning: PerToken.optional(),
  request: PerPiece.optional(),
  image: PerPiece.optional(),
})
export type PriceRow = z.output<typeof PriceRow>

/** A model's prices: pico-USD for a token, nano-USD for a request and an image. */
export interface Price {
  readonly version: string
  readonly promptPico: bigint
  readonly completionPico: bigint
  readonly cacheReadPico: bigint
  readonly cacheWritePico: bigint
  readonly reasoningPico: bigint
  readonly requestNano: bigint
  readonly imageNano: bigint
}

const read = new WeakMap<PriceRow, Price>()

/**
 * The prices of a row, which is read once: it stands unchanged until the file is read again.
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
  const { prompt, completion, cacheRead = prompt, cacheWrite = prompt, reasoning = completion } = row
  return {
    version: row.version,
    promptPico: picoUsdOf(prompt),
    completionPico: picoUsdOf(completion),
    cacheReadPico: picoUsdOf(cacheRead),
    cacheWritePico: picoUsdOf(cacheWrite),
    reasoningPico: picoUsdOf(reasoning),
    requestNano: nanoUsdOf(row.request ?? '0'),
    imageNano: nanoUsdOf(row.image ?? '0'),
  }
}

function picoUsdOf(text: string): bigint {
  const pico = baseUnits(text, PICO_DECIMALS)
  if (pico === undefined) throw new RangeError(`${JSON.stringify(text)} is no USD amount of at most 12 decimals`)
  return pico
}

/**
 * What one call costs in nano-USD, its request and its images included, rounded up once.
 * @param images how many images its input has
 */
export function costOf(usage: Usage, price: Price, images = 0): bigint {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage
  const input =
    BigInt(inputTokens - cacheReadTokens - cacheWriteTokens) * price.promptPico +
    BigInt(cacheReadTokens) * price.cacheReadPico +
    BigInt(cacheWriteTokens) * price.cacheWritePico
  const output =
    BigInt(outputTokens - reasoningTokens) * price.completionPico + BigInt(reasoningTokens) * price.reasoningPico
  return nanoOf(input + output) + piecesNano(price, images)
}

/** Pico-USD in nano-USD, rounded up. */
export const nanoOf = (pico: bigint): bigint => (pico + PICO_PER_NANO - 1n) / PICO_PER_NANO

/** The most pico-USD that an amount of nano-USD pays for. */
export const picoOf = (nano: bigint): bigint => nano * PICO_PER_NANO

/** What a call costs beside its tokens, in nano-USD. */
export const piecesNano = (price: Price, images: number): bigint => price.requestNano + BigInt(images) * price.imageNano
