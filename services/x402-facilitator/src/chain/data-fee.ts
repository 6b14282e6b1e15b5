import type { Address, Hex } from '@callboard/values'
import { encodeFunctionData, type PublicClient, parseAbi } from 'viem'
import { type DataFee, NO_DATA_FEE } from '../domain/fees.ts'
import { unlessFailed } from './chain-unavailable.ts'

/** The contract that, on every OP Stack chain including Base, tells what publishing a transaction on Ethereum costs. */
const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000F'
const oracleAbi = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
  'function getL1Fee(bytes data) view returns (uint256)',
])

/** Unsigned bytes of a plain transfer with the longest suffix, and of the batch from which a leg's price is derived. */
const PLAIN_BYTES = 700
const LEG_BYTES = 288
const SAMPLE_LEGS = 100

/** Whether a chain charges a data fee on top of gas: its oracle has code. Asked once per chain. */
export const hasDataFee = async (client: PublicClient): Promise<boolean> =>
  (await client.getCode({ address: GAS_PRICE_ORACLE })) !== undefined

/**
 * Reads what a plain transfer and each further leg of a batch cost for their bytes, from the oracle of an OP Stack
 * chain. `getL1FeeUpperBound` exists since the Fjord upgrade; before it, `getL1Fee` prices incompressible bytes.
 * @source https://specs.optimism.io/protocol/fjord/predeploys.html
 */
export async function readDataFee(client: PublicClient): Promise<DataFee> {
  const [plain, batch] = await Promise.all([
    upperBound(client, PLAIN_BYTES),
    upperBound(client, PLAIN_BYTES + SAMPLE_LEGS * LEG_BYTES),
  ])
  if (plain === undefined || batch === undefined) return NO_DATA_FEE
  const legs = BigInt(SAMPLE_LEGS)
  return { plain, perLeg: batch > plain ? (batch - plain + legs - 1n) / legs : 0n }
}

async function upperBound(client: PublicClient, bytes: number): Promise<bigint | undefined> {
  const sized = encodeFunctionData({ abi: oracleAbi, functionName: 'getL1FeeUpperBound', args: [BigInt(bytes)] })
  const answer = await ask(client, sized)
  if (answer !== undefined) return answer
  const filled: Hex = `0x${'ff'.repeat(bytes)}`
  return ask(client, encodeFunctionData({ abi: oracleAbi, functionName: 'getL1Fee', args: [filled] }))
}

async function ask(client: PublicClient, data: Hex): Promise<bigint | undefined> {
  const answer = await unlessFailed(client.call({ to: GAS_PRICE_ORACLE, data }))
  return answer?.data && answer.data.length === 66 ? BigInt(answer.data) : undefined
}
