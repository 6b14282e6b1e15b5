import type { Address } from '@callboard/values'
import type { PublicClient } from 'viem'
import { readingChain } from './chain-unavailable.ts'

/** Which transactions of a signing account are counted. */
interface Counted {
  readonly address: Address
  readonly blockTag: 'latest' | 'pending'
  /** The count up to which one answer is believed. */
  readonly known: number
}

/**
 * How many transactions a chain counts of a signing account. More than is known is asked for once more, and the lower
 * answer counts: a chain nonce that is too low costs a transaction that no node takes, and one that is too high leaves a
 * gap before it that nothing fills.
 * @throws ChainUnavailable
 */
export async function countOfLane(
  client: PublicClient,
  network: string,
  { address, blockTag, known }: Counted,
): Promise<number> {
  const ask = () => readingChain(network, client.getTransactionCount({ address, blockTag }))
  const count = await ask()
  return count > known ? Math.min(count, await ask()) : count
}
