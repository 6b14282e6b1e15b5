import type { UsdText } from '@callboard/values'

/** Doubles keep apart all decimals of so many digits. */
const DIGITS_OF_DOUBLE = 15
/** Beginning with the smallest price in USDC, a double is written without an exponent. */
const SMALLEST = 0.000_001

/** A double in place of a price, see `costsMoreThan`: the price rounded, or less where its digits are too many. */
export function comparable(price: UsdText): number {
  const digits = price.replace('.', '').replace(/^0+/, '').length
  return Number(price) * (digits > DIGITS_OF_DOUBLE ? 1 - Number.EPSILON : 1)
}

/**
 * Whether a price is more than another, by its `comparable`; false where only the texts tell. A limit just below a price
 * that many ask is the same double as that price, and would otherwise have all their texts compared.
 */
export function costsMoreThan(limit: UsdText): (price: number) => boolean {
  const rounded = Number(limit)
  const isBelowEqual = rounded >= SMALLEST && isLess(limit, String(rounded))
  return (price) => price > rounded || (isBelowEqual && price === rounded)
}

/** The lowest of some USD texts, as written; there is at least one. */
export const lowestPrice = (prices: readonly UsdText[]): UsdText =>
  prices.reduce((lowest, price) => (isLess(price, lowest) ? price : lowest))

/** Compares decimal texts exactly, with any number of digits. */
export function isLess(a: UsdText, b: UsdText): boolean {
  // Rounding keeps the order of two numbers, or makes them equal.
  const [roundedA, roundedB] = [Number(a), Number(b)]
  if (roundedA !== roundedB) return roundedA < roundedB
  const [wholeA = '', fractionA = ''] = a.split('.')
  const [wholeB = '', fractionB = ''] = b.split('.')
  const digits = Math.max(fractionA.length, fractionB.length)
  return BigInt(wholeA + fractionA.padEnd(digits, '0')) < BigInt(wholeB + fractionB.padEnd(digits, '0'))
}
