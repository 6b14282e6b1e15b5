import { baseUnits, decimalText, type UsdText } from '@callboard/values'

/** Decimals of a nano-USD amount, in which all money of the router is counted: 1 USD is 10^9. */
const NANO_DECIMALS = 9

/**
 * A decimal USD text in nano-USD.
 * @param text for example "0.01"; no sign, no exponent, nothing finer than a nano-USD
 * @throws RangeError
 */
export function nanoUsdOf(text: UsdText): bigint {
  const nano = baseUnits(text, NANO_DECIMALS)
  if (nano === undefined) throw new RangeError(`${JSON.stringify(text)} is no USD amount of at most 9 decimals`)
  return nano
}

/**
 * Nano-USD as decimal USD text without trailing zeros, as the contract's `Usd` takes it: 1_500_000_000 is "1.5".
 * @throws RangeError for a debt, which no amount on the wire can be
 */
export function usdText(nano: bigint): UsdText {
  if (nano < 0n) throw new RangeError(`${nano} nano-USD is less than nothing`)
  return decimalText(nano, NANO_DECIMALS)
}
