import { baseUnits, decimalText, type UsdText } from '@callboard/values'

/** Decimals of a nano-USD amount, the unit of all money in the router: 1 USD is 10^9. */
const NANO_DECIMALS = 9

/**
 * Converts decimal USD text to nano-USD.
 * @param text for example "0.01"; no sign, no exponent, nothing finer than a nano-USD
 * @throws RangeError
 */
export function nanoUsdOf(text: UsdText): bigint {
  const nano = baseUnits(text, NANO_DECIMALS)
  if (nano === undefined) throw new RangeError(`${JSON.stringify(text)} is no USD amount of at most 9 decimals`)
  return nano
}

/**
 * Converts nano-USD to decimal USD text without trailing zeros, the contract's `Usd`: 1_500_000_000 is "1.5".
 * @throws RangeError for a debt, which cannot be an amount on the wire
 */
export function usdText(nano: bigint): UsdText {
  if (nano < 0n) throw new RangeError(`${nano} nano-USD is less than nothing`)
  return decimalText(nano, NANO_DECIMALS)
}
