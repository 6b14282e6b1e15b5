import type { BlockHeader, RawLog } from '../domain/chain-data.ts'
import { afterAnswer, afterRefusal, isAboutRange } from '../domain/ranges.ts'
import type { FollowedChain } from '../kit.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import type { Advance } from './commit.ts'
import { requireComplete, sampleHeights } from './completeness.ts'
import { observe } from './observe.ts'

/**
 * Reads final blocks in one question, as many as the provider takes and as hold a good number of logs.
 * @param final the highest final block
 * @returns undefined when the provider wants a smaller range; its next one is smaller
 */
export async function readRange(
  followed: FollowedChain,
  provider: Provider,
  from: number,
  final: number,
  signal: AbortSignal,
): Promise<Advance | undefined> {
  const to = Math.min(final, from + provider.range.blocks - 1)
  const logs = await logsOrSmallerRange(provider, from, to, signal)
  if (!logs) return undefined
  const headers = await provider.headers(logs.length > 0 ? [to] : sampleHeights(from, to), signal)
  const last = headers.at(-1)
  if (!last || !logs.every((log) => isOf(log, last))) {
    throw new ProviderError('inconsistent', `the logs of block ${to} are of another block`)
  }
  await requireComplete(followed, provider, headers, logs, signal)
  return { blocks: [last], to: last, settlements: await observe(followed.chain, provider, logs, [last], signal) }
}

const isOf = (log: RawLog, block: BlockHeader) => log.blockNumber !== block.number || log.blockHash === block.hash

async function logsOrSmallerRange(
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
    // Words we do not know may mean an ill node as well: then it rests, and is asked for less when it is back.
    const wantsLess = fault === 'too_large' || (fault === 'refused' && isAboutRange(message))
    if (wantsLess && asked > 1) return undefined
    throw error
  }
}
