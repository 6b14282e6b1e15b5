import type { BlockHeader } from '../domain/chain-data.ts'
import { finalHeight } from '../domain/sync-status.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import { commitStart } from './commit.ts'
import { asking, type Following } from './following.ts'
import { NOTHING } from './observe.ts'

/**
 * Opens a chain that was never followed: the cursor is set to the block before the first one to read, and the blocks
 * below it that a reorganisation could still reach are kept.
 * @returns false when no provider returned that block, or the chain is not that long yet
 */
export async function start(following: Following, signal: AbortSignal): Promise<boolean> {
  const { ctx, followed } = following
  for (const provider of followed.providers.awake()) {
    const blocks = await asking(following, provider, () => firstBlocks(following, provider, signal))
    if (!blocks) continue
    const to = blocks.at(-1)
    if (!to) return false
    await commitStart(following, { blocks, to, ...NOTHING })
    followed.providers.succeeded(provider)
    ctx.log.info({ network: followed.chain.network, firstBlock: to.number + 1 }, 'a chain is followed from here on')
    return true
  }
  return false
}

/** The block before the first one to read, preceded by the non-final ones below it; none while the chain is shorter. */
async function firstBlocks(
  { followed: { chain, startBlock } }: Following,
  provider: Provider,
  signal: AbortSignal,
): Promise<BlockHeader[]> {
  const { head } = await provider.view(0, signal)
  const before = Math.max(0, (startBlock ?? head.number) - 1)
  if (before > head.number) return []
  const lowest = Math.min(before, finalHeight(head.number, chain.finalityDepth))
  const heights = Array.from({ length: before - lowest + 1 }, (_, at) => lowest + at)
  const blocks = await provider.headers(heights, signal)
  for (const [at, block] of blocks.entries()) {
    if (at > 0 && block.parentHash !== blocks[at - 1]?.hash)
      throw new ProviderError('inconsistent', `block ${block.number} does not follow the one before`)
  }
  return blocks
}
