import type { FacilitatorRequest } from '@callboard/contract'
import { receiptOf, settlementBatchAbi } from '@callboard/evm'
import type { Hex } from '@callboard/values'
import { Eip3009Payload, transferCalldataVrs } from '@callboard/x402'
import { concat, createPublicClient, encodeFunctionData, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { cpuTimeMs } from '../cpu-time.ts'
import type { World } from './world.ts'

/** Payments per transaction: our facilitator's default maximum. */
const LEGS = 125
const LEG_GAS = 100_000n
const GAS = 15_000_000n
const MAX_FEE_PER_GAS = 3_000_000_000n

export interface Ceiling {
  readonly legs: number
  readonly perSecond: number
  /** CPU time of the node. */
  readonly cpuMicros: number
}

/**
 * The node's own throughput for signed payments: they are batched beforehand, and the batches are sent one after
 * another until the last has its receipt. Nothing is verified, stored or answered.
 */
export async function measureCeiling(
  { devnet }: World,
  key: Hex,
  payments: readonly FacilitatorRequest[],
): Promise<Ceiling> {
  const account = privateKeyToAccount(key)
  const node = createPublicClient({ transport: http(devnet.rpcUrl), cacheTime: 0 })
  const legs = payments.map(({ paymentPayload }): Hex => {
    const { authorization, signature } = Eip3009Payload.parse(paymentPayload.payload)
    return `0x${transferCalldataVrs(authorization, signature).slice(10)}`
  })
  const signed: Hex[] = []
  for (let from = 0; from < legs.length; from += LEGS) {
    const args = [devnet.usdc.address, LEG_GAS, concat(legs.slice(from, from + LEGS))] as const
    const data = encodeFunctionData({ abi: settlementBatchAbi, functionName: 'settle', args })
    signed.push(
      await account.signTransaction({
        ...{ type: 'eip1559', chainId: devnet.chainId, to: devnet.settlementBatch, data, nonce: signed.length },
        ...{ gas: GAS, maxFeePerGas: MAX_FEE_PER_GAS, maxPriorityFeePerGas: 0n },
      }),
    )
  }
  const cpu = cpuTimeMs(devnet.pid)
  const start = performance.now()
  let last: Hex = '0x'
  for (const serializedTransaction of signed) last = await node.sendRawTransaction({ serializedTransaction })
  const { status } = await receiptOf(node, last)
  const wallMs = performance.now() - start
  if (status !== 'success') throw new Error('the node did not take a batch')
  const micros = ((cpuTimeMs(devnet.pid) - cpu) * 1_000) / payments.length
  return { legs: LEGS, perSecond: (payments.length * 1_000) / wallMs, cpuMicros: micros }
}
