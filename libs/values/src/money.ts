/** A token amount in base units as decimal text, the form used by x402 and by our interfaces. */
export type BaseUnits = string

/** USD as decimal text without exponent or sign, for example "0.01". Never a float. */
export type UsdText = string

const BASE_UNITS = /^(0|[1-9][0-9]{0,77})$/
const USD = /^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/

export const looksLikeBaseUnits = (text: string): boolean => BASE_UNITS.test(text)

/**
 * The decimal text of an amount, without trailing zeros: 10000 units at 6 decimals is "0.01", zero is "0".
 * @param decimals digits after the decimal point of one whole token
 */
export function decimalText(units: bigint, decimals: number): UsdText {
  const sign = units < 0n ? '-' : ''
  const digits = units
    .toString()
    .replace('-', '')
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction ? `${whole}.${fraction}` : whole)
}

/**
 * The base units of a decimal text, or undefined when it is not a decimal or has more digits than the token. Nothing is
 * rounded: "0.0000001" at 6 decimals is undefined.
 */
export function baseUnits(text: UsdText, decimals: number): bigint | undefined {
  if (!USD.test(text)) return undefined
  const [whole, fraction = ''] = text.split('.')
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > decimals) return undefined
  return BigInt(`${whole}${significant.padEnd(decimals, '0')}`)
}

/** USDC has six decimals in its ERC-20 view, on every chain we serve. */
export const USDC_DECIMALS = 6

/** Base units of USDC as USD text: 10000 is "0.01". */
export const usdOfUsdc = (units: bigint): UsdText => decimalText(units, USDC_DECIMALS)

/** USD text as base units of USDC; undefined when it is not USD text, or finer than USDC. */
export const usdcOfUsd = (usd: UsdText): bigint | undefined => baseUnits(usd, USDC_DECIMALS)
