import type { Address, Hex } from '@callboard/values'
import type { PublicClient } from 'viem'
import { readingChain } from './chain-unavailable.ts'

/** A transaction of a signing account, as its block shows it. */
export interface LaneCall {
  readonly hash: Hex
  readonly to: Address
  readonly input: Hex
}

/** Blocks requested at once. */
const AT_ONCE = 20n

/**
 * Finds the first block at or after a moment by binary search, since block times only rise.
 * @throws ChainUnavailable
 */
export async function firstBlockSince(client: PublicClient, network: string, since: Date): Promise<bigint> {
  const seconds = BigInt(Math.floor(since.getTime() / 1000))
  const timeOf = async (blockNumber: bigint) =>
    (await readingChain(network, client.getBlock({ blockNumber }))).timestamp
  let [low, high] = [0n, await readingChain(network, client.getBlockNumber({ cacheTime: 0 }))]
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await timeOf(middle)) < seconds) low = middle + 1n
    else high = middle
  }
  return low
}

/**
 * Yields every transaction of signing accounts from a block to the newest one. It reads each block: a node has blocks
 * even where it has pruned historical account state.
 * @throws ChainUnavailable
 */
export async function* callsOfLanes(
  client: PublicClient,
  network: string,
  from: bigint,
  lanes: ReadonlySet<string>,
): AsyncGenerator<LaneCall> {
  for (let next = from; ; ) {
    const head = await readingChain(network, client.getBlockNumber({ cacheTime: 0 }))
    if (next > head) return
    const last = next + AT_ONCE - 1n < head ? next + AT_ONCE - 1n : head
    const numbers = Array.from({ length: Number(last - next) + 1 }, (_, at) => next + BigInt(at))
    const read = (blockNumber: bigint) => client.getBlock({ blockNumber, includeTransactions: true })
    for (const block of await readingChain(network, Promise.all(numbers.map(read)))) {
      for (const { hash, from: sender, to, input } of block.transactions) {
        if (to && lanes.has(sender.toLowerCase())) yield { hash, to, input }
      }
    }
    next = last + 1n
  }
}
