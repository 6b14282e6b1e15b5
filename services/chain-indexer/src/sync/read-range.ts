import type { BlockHeader, BlockRef, RawLog } from '../domain/chain-data.ts'
import { afterAnswer, afterRefusal, isAboutRange } from '../domain/ranges.ts'
import type { FollowedChain } from '../followed-chain.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import type { Advance } from './commit.ts'
import { requireComplete, sampleHeights } from './completeness.ts'
import { observe } from './observe.ts'

/** `smaller range`: the provider refused; its next range is smaller. */
export type ReadRange = Advance | 'smaller range'

/**
 * Reads final blocks in one request, as many as the provider accepts and as contain a good number of logs. The first
 * must name the block to continue from as its parent. The submitters are read later, see attribute.ts.
 * @param parent the block to continue from
 * @param final the highest final block
 * @throws ProviderError `inconsistent` when the blocks do not follow the parent, or logs are left out
 */
export async function readRange(
  followed: FollowedChain,
  provider: Provider,
  parent: BlockRef,
  final: number,
  signal: AbortSignal,
): Promise<ReadRange> {
  const from = parent.number + 1
  const to = Math.min(final, parent.number + provider.range.blocks)
  const logs = await logsOrSmallerRange(provider, from, to, signal)
  if (!logs) return 'smaller range'
  const heights = new Set([from, ...(logs.length > 0 ? [to] : sampleHeights(from, to))])
  const headers = await provider.headers([...heights], signal)
  const [first, last] = [headers.at(0), headers.at(-1)]
  if (first?.parentHash !== parent.hash)
    throw new ProviderError('inconsistent', `block ${from} does not follow ${parent.hash}`)
  if (!last || !logs.every((log) => isOf(log, last))) {
    throw new ProviderError('inconsistent', `the logs of block ${to} are of another block`)
  }
  await requireComplete(followed, provider, headers, logs, signal)
  const read = {
    ...{ from, to, endpoint: provider.label, how: 'range' as const, parentHash: parent.hash, logs: logs.length },
    hashes: from === to ? [last.hash] : [first.hash, last.hash],
  }
  return { blocks: [last], to: last, read, ...(await observe(followed, provider, logs, [last], signal)) }
}

const isOf = (log: RawLog, block: BlockHeader) => log.blockNumber !== block.number || log.blockHash === block.hash

/** The logs of a range; undefined when the provider refused it and its next range is smaller. */
export async function logsOrSmallerRange(
  provider: Provider,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<RawLog[] | undefined> {
  const asked = to - from + 1
  try {
    const logs = await provider.logsOfRange(from, to, signal)
    provider.range = afterAnswer(provider.range, asked, logs.length)
    return logs
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { fault, message } = error
    if (fault === 'refused' || fault === 'too_large' || fault === 'timeout')
      provider.range = afterRefusal(provider.range, asked, message)
    // An unknown message may also mean an unhealthy node: then it rests, and the next request is smaller.
    const wantsLess = fault === 'too_large' || (fault === 'refused' && isAboutRange(message))
    if (wantsLess && asked > 1) return undefined
    throw error
  }
}
