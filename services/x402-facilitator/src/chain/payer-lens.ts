import { artifacts } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { BaseError, encodeDeployData, type PublicClient, RpcRequestError } from 'viem'
import { readingChain } from './chain-unavailable.ts'

/** What the token says of one payment among many. */
export interface LensAnswer {
  /** Whether the token accepted the transfer, with no more gas than a leg of a batch gets. */
  readonly taken: boolean
  readonly hasCode: boolean
  /** What the payer holds before any of the payments moves. */
  readonly balance: bigint
}

/**
 * Payments per query: as many as a transaction carries by default, so that payments verified together are settled
 * together. Creation code may have 49,152 bytes, and a payment takes 288 of them.
 */
export const LENS_MOST = 125

/** Gas of the reads around each payment, and of the answer's bytes. */
const READS_GAS = 60_000n
const BASE_GAS = 1_000_000n

/** How payments are tried. */
export interface LensTerms {
  readonly network: string
  readonly asset: Address
  /** Gas of one leg of a batch. */
  readonly legGas: bigint
  /** The account that would send them. */
  readonly sender: Address
}

/**
 * Asks the token about many payments in one `eth_call`: the payments are executed, and nothing of it persists. The
 * contract that does this is never deployed, so it works on every chain.
 * @param legs arguments of `transferWithAuthorization(…,v,r,s)`, 288 bytes each
 * @returns undefined where the node would not run it; the payments are then asked about one by one
 * @throws ChainUnavailable
 */
export async function readLens(
  client: PublicClient,
  { network, asset, legGas, sender }: LensTerms,
  legs: readonly Hex[],
): Promise<LensAnswer[] | undefined> {
  const args = [asset, legGas, `0x${legs.map((leg) => leg.slice(2)).join('')}`] as const
  const data = encodeDeployData({ ...artifacts.paymentLens, args })
  const gas: Hex = `0x${(BASE_GAS + BigInt(legs.length) * (legGas + READS_GAS)).toString(16)}`
  const answer = await readingChain(
    network,
    unlessRefused(client.request({ method: 'eth_call', params: [{ from: sender, data, gas }, 'latest'] })),
  )
  return answer === undefined || answer.length !== 2 + legs.length * WORD
    ? undefined
    : legs.map((_, at) => word(answer, at))
}

const WORD = 64
const TAKEN = 1n << 255n
const HAS_CODE = 1n << 254n

function word(answer: Hex, at: number): LensAnswer {
  const bits = BigInt(`0x${answer.slice(2 + at * WORD, 2 + (at + 1) * WORD)}`)
  return { taken: (bits & TAKEN) !== 0n, hasCode: (bits & HAS_CODE) !== 0n, balance: bits & (HAS_CODE - 1n) }
}

/** Returns the result, or undefined when the node answered with an error. Any other error is rethrown. */
async function unlessRefused(call: Promise<Hex>): Promise<Hex | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError) !== null) return undefined
    throw error
  }
}
