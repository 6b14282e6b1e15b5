import type { BlockRef } from '../domain/chain-data.ts'
import type { FollowedChain } from '../followed-chain.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import type { Advance } from './commit.ts'
import { requireComplete } from './completeness.ts'
import { observe, withSubmissions } from './observe.ts'

/**
 * Reads block by block, where the chain may still change: each must name the one before as its parent, and logs are
 * asked for by block hash.
 * @param parent the block to go on from
 * @param upTo the last height to read, above the parent's
 * @throws ProviderError `inconsistent` when the blocks are not a chain
 */
export async function readBlocks(
  followed: FollowedChain,
  provider: Provider,
  parent: BlockRef,
  upTo: number,
  signal: AbortSignal,
): Promise<Advance> {
  const heights = Array.from({ length: upTo - parent.number }, (_, at) => parent.number + 1 + at)
  const blocks = await provider.headers(heights, signal)
  let to = parent
  for (const block of blocks) {
    if (block.parentHash !== to.hash)
      throw new ProviderError('inconsistent', `block ${block.number} does not follow ${to.hash}`)
    to = block
  }
  const logs = await provider.logsOfBlocks(blocks, signal)
  await requireComplete(followed, provider, blocks, logs, signal)
  const observed = await observe(followed.chain, provider, logs, blocks, signal)
  return { blocks, to, settlements: await withSubmissions(provider, observed, signal) }
}
