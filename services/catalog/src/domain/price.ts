import type { UsdText } from '@callboard/values'

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
