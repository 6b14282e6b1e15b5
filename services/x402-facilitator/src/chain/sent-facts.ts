import { type Chain, eip3009Abi, erc20Abi } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { getAddress, type PublicClient, type RpcTransactionReceipt } from 'viem'
import { type Movement, type UsedAuthorizations, usedAuthorizations } from '../domain/settlement-log.ts'
import { readBlockHashes } from './block-facts.ts'
import { readingChain } from './chain-unavailable.ts'
import { isPaused } from './payer-facts.ts'

/** A transaction that is in a block, or in the block that is being built. */
export interface ReceivedTransaction {
  readonly hash: Hex
  /** The token, or the batch contract. */
  readonly to: Address | null
  readonly succeeded: boolean
  readonly blockNumber: number
  readonly blockHash: Hex
  /** Gas of the whole transaction. */
  readonly gasUsed: number
  /** What its logs say; one transaction may hold many payments. */
  readonly uses: UsedAuthorizations
}

/** A transaction that is in a block of the chain. */
export type MinedTransaction = ReceivedTransaction & { readonly isIncluded: true }
/** A transaction from its receipt, and whether the chain has its block. */
export type SentTransaction = ReceivedTransaction & { readonly isIncluded: boolean }

export const isIncluded = (transaction: SentTransaction | undefined): transaction is MinedTransaction =>
  transaction?.isIncluded === true

/** Parses a receipt; undefined for a transaction that is in no block. */
export const received = (receipt: RpcTransactionReceipt | null): ReceivedTransaction | undefined =>
  receipt?.blockHash
    ? {
        hash: receipt.transactionHash,
        to: receipt.to ? getAddress(receipt.to) : null,
        succeeded: receipt.status === '0x1',
        blockNumber: Number(receipt.blockNumber),
        blockHash: receipt.blockHash,
        gasUsed: Number(receipt.gasUsed),
        uses: usedAuthorizations(receipt.logs),
      }
    : undefined

export const receiptOf = (client: PublicClient, hash: Hex) =>
  client.request({ method: 'eth_getTransactionReceipt', params: [hash] })

const authorizationState = (client: PublicClient, { asset, payer, nonce }: Movement, blockNumber?: bigint) =>
  client.readContract({
    address: asset,
    abi: eip3009Abi,
    functionName: 'authorizationState',
    args: [payer, nonce],
    ...(blockNumber === undefined ? {} : { blockNumber }),
  })

/**
 * Reads the receipts that the node has for these transactions, by hash: one JSON-RPC batch, each receipt once
 * regardless of how many payments it holds.
 * @throws ChainUnavailable
 */
export async function readSent(
  client: PublicClient,
  chain: Chain,
  hashes: readonly Hex[],
): Promise<Map<Hex, SentTransaction>> {
  const distinct = [...new Set(hashes)]
  const receipts = await readingChain(chain.network, Promise.all(distinct.map((hash) => receiptOf(client, hash))))
  const found = receipts.flatMap((receipt) => received(receipt) ?? [])
  return new Map((await heldAgainstChain(client, chain, found)).map((transaction) => [transaction.hash, transaction]))
}

/**
 * Checks whether the chain has the blocks of transactions. A node may give receipts of the block being built, as Base's
 * do every 200 ms; such a block may still change. Where blocks are final as soon as they exist, a receipt is enough.
 * @throws ChainUnavailable
 */
export async function heldAgainstChain(
  client: PublicClient,
  { network, finality }: Chain,
  found: readonly ReceivedTransaction[],
): Promise<readonly SentTransaction[]> {
  if (finality === 'instant' || found.length === 0) return found.map((one) => ({ ...one, isIncluded: true }))
  const numbers = [...new Set(found.map(({ blockNumber }) => blockNumber))]
  const hashes = await readBlockHashes(client, network, numbers)
  return found.map((one) => ({ ...one, isIncluded: hashes.get(one.blockNumber) === one.blockHash }))
}

/**
 * Whether the token counts an authorization as used, by any transaction.
 * @throws ChainUnavailable
 */
export const isUsed = (client: PublicClient, network: string, movement: Movement): Promise<boolean> =>
  readingChain(network, authorizationState(client, movement))

/**
 * Reads the payer's state when our transaction did not move its money, at the end of that transaction's block.
 * @throws ChainUnavailable
 */
export async function readPayerAt(
  client: PublicClient,
  network: string,
  movement: Movement,
  block: number,
): Promise<{ used: boolean; balance: bigint; paused: boolean }> {
  const { asset, payer } = movement
  const blockNumber = BigInt(block)
  const balanceOf = { address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [payer], blockNumber } as const
  const [used, balance, paused] = await readingChain(
    network,
    Promise.all([
      authorizationState(client, movement, blockNumber),
      client.readContract(balanceOf),
      isPaused(client, asset, blockNumber),
    ]),
  )
  return { used, balance, paused }
}

/**
 * Whether an authorization can never be used any more: it is unused at the newest block, and a block at the chain's
 * finality depth is already past its window, so that no later block can include it.
 * @throws ChainUnavailable
 */
export async function isForeverUnused(
  client: PublicClient,
  network: string,
  movement: Movement,
  { validBefore, finalityDepth }: { validBefore: bigint; finalityDepth: number },
): Promise<boolean> {
  const head = await readingChain(network, client.getBlockNumber({ cacheTime: 0 }))
  const deep = head > BigInt(finalityDepth) ? head - BigInt(finalityDepth) : 0n
  const { timestamp } = await readingChain(network, client.getBlock({ blockNumber: deep }))
  if (timestamp < validBefore) return false
  return !(await readingChain(network, authorizationState(client, movement, head)))
}
