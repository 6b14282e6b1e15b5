import type { BlockHeader, BlockRef, RawLog } from '../domain/chain-data.ts'
import { afterAnswer, afterRefusal } from '../domain/ranges.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import type { Advance } from './commit.ts'
import { notIn, requireComplete, sampleHeights } from './completeness.ts'
import type { ProviderRead } from './following.ts'
import { observe } from './observe.ts'
import { isTooMuch, logsOfBlocks, NONE_LARGE, type ReadLogs } from './read-logs.ts'

/** `smaller range`: the provider refused; its next range is smaller. */
export type ReadRange = Advance | 'smaller range'

/**
 * Reads final blocks in one request, as many as the provider accepts and as contain a good number of logs. The first
 * must name the block to continue from as its parent. The submitters are read later, see attribute.ts.
 * @param parent the block to continue from
 * @param final the highest final block
 * @throws ProviderError `inconsistent` when the blocks do not follow the parent, or logs are left out
 */
export async function readRange(read: ProviderRead, parent: BlockRef, final: number): Promise<ReadRange> {
  const { provider, signal } = read
  const from = parent.number + 1
  const to = Math.min(final, parent.number + provider.range.blocks)
  const found = await logsOrSmallerRange(read, from, to)
  if (!found) return 'smaller range'
  const { logs, large } = found
  const heights = new Set([from, ...(logs.length > 0 ? [to] : sampleHeights(from, to))])
  const headers = await provider.headers([...heights], signal)
  const [first, last] = [headers.at(0), headers.at(-1)]
  if (first?.parentHash !== parent.hash)
    throw new ProviderError('inconsistent', `block ${from} does not follow ${parent.hash}`)
  if (!last || !logs.every((log) => isOf(log, last))) {
    throw new ProviderError('inconsistent', `the logs of block ${to} are of another block`)
  }
  await requireComplete(read, notIn(headers, large), logs)
  const written = {
    ...{ from, to, endpoint: provider.label, how: 'range' as const, parentHash: parent.hash, logs: logs.length },
    hashes: from === to ? [last.hash] : [first.hash, last.hash],
  }
  return { blocks: [last], to: last, read: written, ...(await observe(read, logs, [last])) }
}

const isOf = (log: RawLog, block: BlockHeader) => log.blockNumber !== block.number || log.blockHash === block.hash

/** The logs of a range; undefined when the provider refused it and its next range is smaller. */
export async function logsOrSmallerRange(read: ProviderRead, from: number, to: number): Promise<ReadLogs | undefined> {
  const { provider, signal } = read
  const asked = to - from + 1
  try {
    const logs = await provider.logsOfRange(from, to, signal)
    provider.range = afterAnswer(provider.range, asked, logs.length)
    return { logs, large: NONE_LARGE }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { fault, message } = error
    if (fault === 'refused' || fault === 'too_large' || fault === 'timeout')
      provider.range = afterRefusal(provider.range, asked, message)
    // An unknown message may also mean an unhealthy node: then it rests, and the next request is smaller.
    if (!isTooMuch(error)) throw error
    return asked > 1 ? undefined : logsOfBlocks(read, await provider.headers([from], signal))
  }
}
