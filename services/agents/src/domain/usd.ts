import { baseUnits, decimalText, type UsdText } from '@callboard/values'

/** More digits than any USD amount has. */
const DIGITS = 18

/** The decimals of Router amounts. */
const NANO_DIGITS = 9
const NANO_PER_CENT = 10n ** 7n

/** A USD amount in whole cents, the unit of allowances. */
export const centsOf = (usd: string | number): number => Math.round(Number(usd) * 100)

/** @throws RangeError for text that is not an amount */
function nanoOf(usd: string): bigint {
  const nano = baseUnits(usd, NANO_DIGITS)
  if (nano === undefined) throw new RangeError(`${usd} is not an amount of USD`)
  return nano
}

/** The fewest whole cents that cover a decimal USD amount. */
export const centsCovering = (usd: string): number => Number((nanoOf(usd) + NANO_PER_CENT - 1n) / NANO_PER_CENT)

/** By how much the sum of decimal USD amounts exceeds a limit; 0 within it. */
export function usdBeyond(limitUsd: string, amountsUsd: readonly string[]): UsdText {
  const beyond = amountsUsd.reduce((sum, usd) => sum + nanoOf(usd), -nanoOf(limitUsd))
  return decimalText(beyond > 0n ? beyond : 0n, NANO_DIGITS)
}

/** A decimal amount in its shortest form: "5.00" is "5". @throws RangeError for anything else */
export function plainUsd(text: string): UsdText {
  const units = baseUnits(text, DIGITS)
  if (units === undefined) throw new RangeError(`${text} is not an amount of USD`)
  return decimalText(units, DIGITS)
}
