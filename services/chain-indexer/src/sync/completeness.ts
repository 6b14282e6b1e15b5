import type { BlockHeader, RawLog } from '../domain/chain-data.ts'
import type { FollowedChain } from '../followed-chain.ts'
import type { Provider } from '../rpc/provider.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import type { ProviderRead } from './following.ts'

/** What is needed of a read to check it. */
interface ReadToCheck extends Pick<ProviderRead, 'signal'> {
  readonly followed: Pick<FollowedChain, 'mayHoldLogs'>
  readonly provider: Pick<Provider, 'receiptLogs'>
}

/**
 * Checks empty answers: nodes return no logs, and no error, for blocks they have pruned or not indexed yet. Where a
 * block's bloom contradicts an empty answer, its receipts decide.
 * @throws ProviderError `inconsistent` when the receipts contain logs that the answer left out
 */
export async function requireComplete(
  { followed: { mayHoldLogs }, provider, signal }: ReadToCheck,
  headers: readonly BlockHeader[],
  logs: readonly RawLog[],
): Promise<void> {
  const answered = new Set(logs.map(({ blockNumber }) => blockNumber))
  const doubtful = headers.filter(({ number, logsBloom }) => !answered.has(number) && mayHoldLogs(logsBloom))
  if (doubtful.length === 0) return
  const [missing] = await provider.receiptLogs(doubtful, signal)
  if (missing) throw new ProviderError('inconsistent', `it left out logs of block ${missing.blockNumber}`)
}

/** The headers of blocks that are not among some heights. */
export const notIn = (headers: readonly BlockHeader[], heights: ReadonlySet<number>): readonly BlockHeader[] =>
  heights.size === 0 ? headers : headers.filter(({ number }) => !heights.has(number))

const MOST_SAMPLES = 512

/** Heights at which to check an empty range: all of a short one, an even sample of a long one, always the last. */
export function sampleHeights(from: number, to: number): number[] {
  const stride = Math.ceil((to - from + 1) / MOST_SAMPLES)
  const count = Math.ceil((to - from + 1) / stride)
  return Array.from({ length: count }, (_, at) => to - (count - 1 - at) * stride)
}
