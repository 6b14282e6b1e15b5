import type { Surface } from './cells.ts'

/** Tokens as an upstream bills them; the kinds are disjoint. */
export interface Tokens {
  readonly fresh: number
  readonly cacheRead: number
  readonly output: number
}

/** Nano-USD per token of each kind. */
export type PriceRow = Readonly<Record<keyof Tokens, bigint>>

/** The longest answer that a client asks for. */
export const MAX_TOKENS = 64

/** The budget of each key; half of a cell's calls cost about as much. */
export const BUDGET_USD = 1
export const NANO_PER_USD = 1_000_000_000n
export const BUDGET_NANO = BigInt(BUDGET_USD) * NANO_PER_USD

const TEXT: PriceRow = { fresh: 10_000n, cacheRead: 1_000n, output: 250_000n }
const EMBEDDING: PriceRow = { fresh: 150_000n, cacheRead: 150_000n, output: 0n }

export const priceOf = (surface: Surface): PriceRow => (surface === 'embeddings' ? EMBEDDING : TEXT)

/** What a call costs, in nano-USD. */
export const billOf = ({ fresh, cacheRead, output }: Tokens, price: PriceRow): bigint =>
  BigInt(fresh) * price.fresh + BigInt(cacheRead) * price.cacheRead + BigInt(output) * price.output

/** Nano-USD as decimal USD text, the form in price rows. */
export const usdText = (nano: bigint): string =>
  `${nano / NANO_PER_USD}.${(nano % NANO_PER_USD).toString().padStart(9, '0')}`

/** Decimal USD text in nano-USD, rounded. */
export function nanoOf(usd: string | number): bigint {
  const found = typeof usd === 'string' && /^(\d+)(?:\.(\d{1,9}))?$/.exec(usd)
  if (!found) return BigInt(Math.round(Number(usd) * Number(NANO_PER_USD)))
  return BigInt(found[1] ?? 0) * NANO_PER_USD + BigInt((found[2] ?? '').padEnd(9, '0'))
}
