import type { Hex } from '@callboard/values'
import { AUTHORIZATION_USED_TOPIC } from '@callboard/x402'
import type { PublicClient, RpcLog } from 'viem'
import { AUTHORIZATION_CANCELED_TOPIC, addressTopic, type Movement, paidAt } from '../domain/settlement-log.ts'
import type { PlacedBlock } from './block-facts.ts'
import { readingChain } from './chain-unavailable.ts'
import { type MinedTransaction, receiptOf, received } from './sent-facts.ts'

/** Blocks per log query, within what public nodes answer. */
const LOG_RANGE = 1_000n

/** How a used authorization was used: by our movement, with its position, or by another use, with its block. */
export type Use =
  | { readonly kind: 'ours'; readonly transaction: MinedTransaction; readonly logIndex: number }
  | { readonly kind: 'other'; readonly block: PlacedBlock }

/**
 * Finds the transaction that used an authorization, searching backwards from the newest block.
 * @param reach how many blocks back
 * @returns undefined when the use is older than the search goes back
 * @throws ChainUnavailable
 */
export async function findUse(
  client: PublicClient,
  network: string,
  movement: Movement,
  reach: number,
): Promise<Use | undefined> {
  const topics: [Hex[], Hex, Hex] = [
    [AUTHORIZATION_USED_TOPIC, AUTHORIZATION_CANCELED_TOPIC],
    addressTopic(movement.payer),
    movement.nonce,
  ]
  let to = await readingChain(network, client.getBlockNumber({ cacheTime: 0 }))
  const last = to > BigInt(reach) ? to - BigInt(reach) : 0n
  for (;;) {
    const from = to >= LOG_RANGE ? to - LOG_RANGE + 1n : 0n
    const logs = await readingChain(
      network,
      client.request({
        method: 'eth_getLogs',
        params: [
          { address: movement.asset, topics, fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` },
        ],
      }),
    )
    const [log] = logs
    if (log?.topics[0] === AUTHORIZATION_CANCELED_TOPIC) return another(log)
    if (log?.transactionHash) {
      // A log that is found is in a block of the chain.
      const found = received(await readingChain(network, receiptOf(client, log.transactionHash)))
      if (!found) return undefined
      const transaction = { ...found, isIncluded: true as const }
      const logIndex = paidAt(transaction.uses, movement)
      return logIndex === undefined ? another(log) : { kind: 'ours', transaction, logIndex }
    }
    if (from <= last) return undefined
    to = from - 1n
  }
}

/** The use that a log reports; undefined for a log of a block that is still being built. */
const another = ({ blockNumber, blockHash }: RpcLog): Use | undefined =>
  blockNumber && blockHash ? { kind: 'other', block: { number: Number(blockNumber), hash: blockHash } } : undefined
