import { type Chain, isAnswer } from '@callboard/evm'
import type { Hex } from '@callboard/values'
import type { PublicClient } from 'viem'
import { readingChain } from './chain-unavailable.ts'

/** The numbers of the blocks that a chain's nodes call by these names; -1 where there is none yet. */
export interface Heights {
  readonly latest: number
  readonly safe: number
  readonly finalized: number
}

/**
 * Reads how far a chain is. A node that has just begun to follow the base chain calls no block safe yet.
 * @throws ChainUnavailable
 */
export async function readHeights(client: PublicClient, network: string): Promise<Heights> {
  const numberOf = async (tag: 'latest' | 'safe' | 'finalized') => {
    const block = await client.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
    return block?.number ? Number(block.number) : -1
  }
  const orNone = (number: Promise<number>) =>
    number.catch((error: unknown) => {
      if (isAnswer(error)) return -1
      throw error
    })
  const [latest, safe, finalized] = await readingChain(
    network,
    Promise.all([numberOf('latest'), orNone(numberOf('safe')), orNone(numberOf('finalized'))]),
  )
  return { latest, safe, finalized }
}

/** The hashes of blocks by their numbers; null where the chain has no such block. @throws ChainUnavailable */
export async function readBlockHashes(
  client: PublicClient,
  network: string,
  numbers: readonly number[],
): Promise<Map<number, Hex | null>> {
  const found = await readingChain(
    network,
    Promise.all(
      numbers.map((number) =>
        client.request({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] }),
      ),
    ),
  )
  return new Map(numbers.map((number, index) => [number, found[index]?.hash ?? null]))
}

/** A block identified by its number and hash. */
export interface PlacedBlock {
  readonly number: number
  readonly hash: Hex
}

/**
 * Whether a block can no longer leave its chain: always, where blocks are final as soon as they exist; else, if the
 * chain's nodes count it as finalized.
 * @throws ChainUnavailable
 */
export async function isFinal(
  client: PublicClient,
  { network, finality }: Pick<Chain, 'network' | 'finality'>,
  { number, hash }: PlacedBlock,
): Promise<boolean> {
  if (finality === 'instant') return true
  const { finalized } = await readHeights(client, network)
  return number <= finalized && (await readBlockHashes(client, network, [number])).get(number) === hash
}
