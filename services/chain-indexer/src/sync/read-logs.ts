import type { BlockHeader, RawLog } from '../domain/chain-data.ts'
import { partsOf } from '../domain/log-source.ts'
import { isAboutRange } from '../domain/ranges.ts'
import { ProviderError } from '../rpc/provider-error.ts'
import type { ProviderRead } from './following.ts'

/** Logs of blocks. */
export interface ReadLogs {
  readonly logs: readonly RawLog[]
  /** Blocks of which claims were too long to be read: they are not empty, whatever was read of them. */
  readonly large: ReadonlySet<number>
}

export const NONE_LARGE: ReadonlySet<number> = new Set()

/** Whether a provider failed because an answer would be too long. */
export const isTooMuch = (error: unknown): error is ProviderError =>
  error instanceof ProviderError &&
  (error.fault === 'too_large' || (error.fault === 'refused' && isAboutRange(error.message)))

/**
 * Reads the logs of blocks by hash: together, then block by block, then kind by kind. A few dollars fill a block with
 * claims about an agent; of those that still do not fit, none of the block is read, so that its payments are.
 */
export async function logsOfBlocks(read: ProviderRead, headers: readonly BlockHeader[]): Promise<ReadLogs> {
  const { provider, signal } = read
  try {
    return { logs: await provider.logsOfBlocks(headers, signal), large: NONE_LARGE }
  } catch (error) {
    if (!isTooMuch(error)) throw error
  }
  const [only, ...others] = headers
  if (only && others.length === 0) return logsByKind(read, only)
  const logs: RawLog[] = []
  const large = new Set<number>()
  for (const header of headers) {
    const one = await logsOfBlocks(read, [header])
    for (const log of one.logs) logs.push(log)
    for (const number of one.large) large.add(number)
  }
  return { logs, large }
}

async function logsByKind({ followed, provider, signal, log }: ProviderRead, header: BlockHeader): Promise<ReadLogs> {
  const logs: RawLog[] = []
  let large = NONE_LARGE
  for (const part of partsOf(followed.sources)) {
    try {
      for (const one of await provider.logsOfPart(header, part, signal)) logs.push(one)
    } catch (error) {
      if (!part.isClaim || !isTooMuch(error)) throw error
      const { network } = followed.chain
      log.error({ network, block: header.number, ...part.filter }, 'claims in a block are too long, and were not read')
      large = new Set([header.number])
    }
  }
  return { logs, large }
}
