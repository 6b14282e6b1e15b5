import { type Chain, eip3009Abi, erc20Abi } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { getAddress, type PublicClient, type RpcTransactionReceipt } from 'viem'
import { type Movement, type UsedAuthorizations, usedAuthorizations } from '../domain/settlement-log.ts'
import { readBlockHashes } from './block-facts.ts'
import { readingChain } from './chain-unavailable.ts'
import { isPaused } from './payer-facts.ts'

/** A transaction that is in a block, or in the one that is being built. */
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
/** A transaction as a node gives its receipt, and whether the chain has its block. */
export type SentTransaction = ReceivedTransaction & { readonly isIncluded: boolean }

export const isIncluded = (transaction: SentTransaction | undefined): transaction is MinedTransaction =>
  transaction?.isIncluded === true

/** What a receipt says; undefined of a transaction that is in no block. */
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
 * Of which transactions the node gives a receipt, by hash: one JSON-RPC batch, and each receipt is read once, however many
 * payments it holds.
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
 * Whether the chain has the blocks of transactions. A node may give receipts of the block that is being built, as Base's do
 * every 200 ms; such a block may still come out otherwise. Where blocks are final when they exist, a receipt is enough.
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
 * Whether the token counts an authorization as used, by whomever.
 * @throws ChainUnavailable
 */
export const isUsed = (client: PublicClient, network: string, movement: Movement): Promise<boolean> =>
  readingChain(network, authorizationState(client, movement))

/**
 * What the payer stood at when our transaction did not move its money, at the end of its very block.
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
 * Whether an authorization can never be used any more: it is unused at the newest block, and a block that is as deep as
 * the chain's finality is past its window already, so that no later block can include it.
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
