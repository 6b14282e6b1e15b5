import type { BlockHeader, BlockRef } from '../domain/chain-data.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import type { Advance } from './commit.ts'
import { notIn, requireComplete } from './completeness.ts'
import type { ProviderRead } from './following.ts'
import { observe, withSubmissions } from './observe.ts'
import { logsOfBlocks } from './read-logs.ts'

/** Which blocks to read. */
export interface Stretch {
  /** The block to continue from. */
  readonly parent: BlockRef
  /** The last height to read, above the parent's. */
  readonly upTo: number
  /** The height that has to be reached; the first after the parent's when absent. */
  readonly atLeast?: number
  /** The provider's newest block, if it was read already. */
  readonly head?: BlockHeader
}

/**
 * Reads block by block, where the chain may still change: each must name the previous one as its parent, and logs are
 * requested by block hash.
 * @throws ProviderError `inconsistent` when the blocks do not form a chain
 */
export async function readBlocks(read: ProviderRead, stretch: Stretch): Promise<Advance> {
  const { provider } = read
  const blocks = await headersOf(read, stretch)
  let to = stretch.parent
  for (const block of blocks) {
    if (block.parentHash !== to.hash)
      throw new ProviderError('inconsistent', `block ${block.number} does not follow ${to.hash}`)
    to = block
  }
  const { logs, large } = await logsOfBlocks(read, blocks)
  await requireComplete(read, notIn(blocks, large), logs)
  const observed = await observe(read, logs, blocks)
  const written = {
    ...{ from: stretch.parent.number + 1, to: to.number, endpoint: provider.label, how: 'block' as const },
    ...{ parentHash: stretch.parent.hash, hashes: blocks.map(({ hash }) => hash), logs: logs.length },
  }
  return { blocks, to, read: written, ...(await withSubmissions(read, observed)) }
}

/**
 * As many headers as the provider has: the head that it names may be one that it does not have, or that does not follow.
 * @throws ProviderError when that is not enough
 */
async function headersOf({ provider, signal }: ProviderRead, stretch: Stretch): Promise<readonly BlockHeader[]> {
  const { parent, upTo, head, atLeast = parent.number + 1 } = stretch
  const known = head?.number === upTo ? [head] : []
  const heights = Array.from({ length: upTo - parent.number - known.length }, (_, at) => parent.number + 1 + at)
  const found = heights.length > 0 ? await provider.leadingHeaders(heights, signal) : []
  const isWhole = found.length === heights.length
  const follows = found.length === 0 || known[0]?.parentHash === found.at(-1)?.hash
  const blocks = isWhole && follows ? [...found, ...known] : found
  const reached = blocks.at(-1)?.number ?? parent.number
  if (reached < atLeast) throw new ProviderError('inconsistent', `block ${reached + 1} is missing`)
  return blocks
}
