import { baseUnits, decimalText, type UsdText } from '@callboard/values'

/** More digits than anybody counts USD in. */
const DIGITS = 18

/** A decimal amount in its shortest form: "5.00" is "5". @throws RangeError for anything else */
export function plainUsd(text: string): UsdText {
  const units = baseUnits(text, DIGITS)
  if (units === undefined) throw new RangeError(`${text} is not an amount of USD`)
  return decimalText(units, DIGITS)
}
