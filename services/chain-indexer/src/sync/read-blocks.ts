import type { BlockHeader, BlockRef } from '../domain/chain-data.ts'
import type { FollowedChain } from '../followed-chain.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import type { Advance } from './commit.ts'
import { requireComplete } from './completeness.ts'
import { observe, withSubmissions } from './observe.ts'

/** Which blocks to read. */
export interface Stretch {
  /** The block to continue from. */
  readonly parent: BlockRef
  /** The last height to read, above the parent's. */
  readonly upTo: number
  /** The provider's newest block, if it was read already. */
  readonly head?: BlockHeader
}

/**
 * Reads block by block, where the chain may still change: each must name the previous one as its parent, and logs are
 * requested by block hash.
 * @throws ProviderError `inconsistent` when the blocks do not form a chain
 */
export async function readBlocks(
  followed: FollowedChain,
  provider: Provider,
  stretch: Stretch,
  signal: AbortSignal,
): Promise<Advance> {
  const blocks = await headersOf(provider, stretch, signal)
  let to = stretch.parent
  for (const block of blocks) {
    if (block.parentHash !== to.hash)
      throw new ProviderError('inconsistent', `block ${block.number} does not follow ${to.hash}`)
    to = block
  }
  const logs = await provider.logsOfBlocks(blocks, signal)
  await requireComplete(followed, provider, blocks, logs, signal)
  const observed = await observe(followed, provider, logs, blocks, signal)
  const read = {
    ...{ from: stretch.parent.number + 1, to: to.number, endpoint: provider.label, how: 'block' as const },
    ...{ parentHash: stretch.parent.hash, hashes: blocks.map(({ hash }) => hash), logs: logs.length },
  }
  return { blocks, to, read, ...(await withSubmissions(provider, observed, signal)) }
}

async function headersOf(provider: Provider, { parent, upTo, head }: Stretch, signal: AbortSignal) {
  const known = head?.number === upTo ? [head] : []
  const heights = Array.from({ length: upTo - parent.number - known.length }, (_, at) => parent.number + 1 + at)
  return [...(heights.length > 0 ? await provider.headers(heights, signal) : []), ...known]
}
