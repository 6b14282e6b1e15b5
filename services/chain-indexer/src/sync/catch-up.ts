import type { BlockRef } from '../domain/chain-data.ts'
import type { Provider } from '../rpc/provider.ts'
import { asking, type Following, type StepResult } from './following.ts'
import { type ReadRange, readRange } from './read-range.ts'
import { record } from './record.ts'

/**
 * Reads history range by range up to the final height, from one provider: the next range is requested while this one is
 * committed. Ends early when the provider fails.
 * @param final the highest final block
 */
export async function catchUp(
  following: Following,
  provider: Provider,
  cursor: BlockRef,
  final: number,
  signal: AbortSignal,
): Promise<StepResult> {
  const { providers } = following.followed
  const over = new AbortController()
  const ask = (parent: BlockRef): Promise<ReadRange | undefined> => {
    const until = AbortSignal.any([signal, over.signal])
    const asked = asking(following, provider, () => readRange(following.followed, provider, parent, final, until))
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
