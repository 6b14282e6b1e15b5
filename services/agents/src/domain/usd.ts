import { baseUnits, decimalText, type UsdText } from '@callboard/values'

/** More digits than any amount of USD has. */
const DIGITS = 18

/** An amount of USD in whole cents, which allowances are. */
export const centsOf = (usd: string | number): number => Math.round(Number(usd) * 100)

/** A decimal amount in its shortest form: "5.00" is "5". @throws RangeError for anything else */
export function plainUsd(text: string): UsdText {
  const units = baseUnits(text, DIGITS)
  if (units === undefined) throw new RangeError(`${text} is not an amount of USD`)
  return decimalText(units, DIGITS)
}
