import { formatEther, parseEther } from 'viem'
import { FeeTooHigh, Usage } from '../exit-codes.ts'

/** The most that a transaction costs if its seller names no amount: more than it costs on a busy Ethereum. */
const MOST = '0.01'

/** The option of every command that sends a transaction. */
export const MAX_FEE = { 'max-fee': { type: 'string' } } as const
export const MAX_FEE_ABOUT = [
  `  --max-fee is the most that the transaction may cost, in the chain’s coin: ${MOST}, if you name none. The node says what`,
  '  it costs, and could say any amount.',
]

/** The most that a transaction may cost, in wei: `--max-fee`, or the default. */
export function mostFeeOf(given: unknown): bigint {
  const text = given === undefined ? MOST : String(given)
  if (!/^\d{1,9}(\.\d{1,18})?$/.test(text)) throw new Usage(`--max-fee: ${text} is not an amount, for example ${MOST}`)
  return parseEther(text)
}

/** @throws FeeTooHigh: what the node asks for is more than the seller allows */
export function requireWithin(mostWei: bigint, allowedWei: bigint): void {
  if (mostWei <= allowedWei) return
  const [asked, allowed] = [mostWei, allowedWei].map((wei) => formatEther(wei))
  throw new FeeTooHigh(
    `The node says that the transaction may cost ${asked} of the chain’s coin, and it may cost ${allowed}. Nothing was signed. If that is the price of gas there now: --max-fee ${asked}`,
  )
}
