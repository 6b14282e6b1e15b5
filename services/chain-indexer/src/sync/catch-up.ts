import type { BlockRef } from '../domain/chain-data.ts'
import type { Provider } from '../rpc/provider.ts'
import { asking, type Following, type StepResult } from './following.ts'
import { type ReadRange, readRange } from './read-range.ts'
import { record } from './record.ts'

/** The blocks after a cursor that are final. */
interface History {
  /** Where they are read. */
  readonly provider: Provider
  readonly cursor: BlockRef
  /** The highest final block. */
  readonly final: number
}

/**
 * Reads history range by range up to the final height, from one provider: the next range is requested while this one is
 * committed. Ends early when the provider fails.
 */
export async function catchUp(
  following: Following,
  { provider, cursor, final }: History,
  signal: AbortSignal,
): Promise<StepResult> {
  const { followed } = following
  const { providers } = followed
  const over = new AbortController()
  const ask = (parent: BlockRef): Promise<ReadRange | undefined> => {
    const read = { followed, provider, signal: AbortSignal.any([signal, over.signal]), log: following.ctx.log }
    const asked = asking(following, provider, () => readRange(read, parent, final))
    // The loop that awaits it handles its failure; when the commit before it fails, nothing awaits it.
    asked.catch(() => {})
    return asked
  }
  let at = cursor
  try {
    let ahead: ReturnType<typeof ask> | undefined = ask(at)
    while (ahead) {
      const read: ReadRange | undefined = await ahead
      if (!read) return { moved: at !== cursor, behind: providers.restMs() === 0, unattributed: true }
      if (read === 'smaller range') {
        ahead = ask(at)
        continue
      }
      ahead = read.to.number < final ? ask(read.to) : undefined
      await record(following, at, read)
      at = read.to
      providers.succeeded(provider)
    }
    return { moved: true, behind: true, unattributed: true }
  } finally {
    over.abort()
  }
}
