import { type Address, type Hex, USDC_DECIMALS } from '@callboard/values'
import { type AbiFunction, encodeFunctionData, parseAbiItem } from 'viem'

/** USDC on Base, which both sides are configured to read. */
export const USDC: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const AUTHORIZATION_USED = '98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'

/** Reads a 32-byte argument of the call by index. */
const argument = (place: number) => `60${(4 + 32 * place).toString(16).padStart(2, '0')}35`
/** Writes a log of `words` words of memory from 0 on, with three topics: the last pushed is the first. */
const log3 = (words: number, topic0: string) => `7f${topic0}60${(32 * words).toString(16).padStart(2, '0')}6000a3`

/**
 * A contract that checks nothing and emits what USDC emits for `transferWithAuthorization`: AuthorizationUsed(from,
 * nonce), then Transfer(from, to, value). So 50,000 settlements take seconds, and each looks like a real one.
 */
export const EMITTER: Hex = `0x${[
  argument(5), // nonce
  argument(0), // from
  log3(0, AUTHORIZATION_USED),
  argument(2), // value
  '600052', // to memory
  argument(1), // to
  argument(0), // from
  log3(1, TRANSFER),
  '00',
].join('')}`

const ABI = [
  parseAbiItem(
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  ) as AbiFunction,
] as const

/** One payment as sent: what the rows must contain in the end. */
export interface Sent {
  readonly payer: Address
  readonly payTo: Address
  readonly amount: bigint
  readonly nonce: Hex
}

const VALID_BEFORE = 2_000_000_000n
const SIGNATURE: Hex = `0x${'5a'.repeat(65)}`

/** The calldata of a payment, as long as real calldata. */
export const calldata = ({ payer, payTo, amount, nonce }: Sent): Hex =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'transferWithAuthorization',
    args: [payer, payTo, amount, 0n, VALID_BEFORE, nonce, SIGNATURE],
  })

/** One cent. */
export const CENT = 10n ** BigInt(USDC_DECIMALS - 2)
