import { baseUnits, decimalText, type UsdText } from '@callboard/values'

/** More digits than any amount of USD has. */
const DIGITS = 18

/** As amounts of the Router are written. */
const NANO_DIGITS = 9
const NANO_PER_CENT = 10n ** 7n

/** An amount of USD in whole cents, which allowances are. */
export const centsOf = (usd: string | number): number => Math.round(Number(usd) * 100)

/** The least whole cents that cover a decimal amount of USD. */
export const centsCovering = (usd: string): number => {
  const nano = baseUnits(usd, NANO_DIGITS)
  if (nano === undefined) throw new RangeError(`${usd} is not an amount of USD`)
  return Number((nano + NANO_PER_CENT - 1n) / NANO_PER_CENT)
}

/** A decimal amount in its shortest form: "5.00" is "5". @throws RangeError for anything else */
export function plainUsd(text: string): UsdText {
  const units = baseUnits(text, DIGITS)
  if (units === undefined) throw new RangeError(`${text} is not an amount of USD`)
  return decimalText(units, DIGITS)
}
