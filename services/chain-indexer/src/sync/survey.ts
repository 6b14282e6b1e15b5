import type { BlockHeader, BlockRef } from '../domain/chain-data.ts'
import { syncStatusOf } from '../domain/sync-status.ts'
import type { Provider } from '../rpc/provider.ts'
import { asking, type Following } from './following.ts'

/** The provider of a step and its state: it continues from our cursor (`same`), or has another block there. */
export interface Found {
  readonly syncStatus: 'same' | 'other'
  readonly provider: Provider
  readonly head: BlockHeader
}

/**
 * Chooses the one provider of a step: the first that has our cursor's block. Only if none that can be asked has it, one
 * with another block there is trusted. After a long quiet time the others are asked, too: the provider in use may be
 * stuck, even on a block that left the chain.
 * @param at the cursor, and whether it has not moved for long
 * @returns undefined when no provider has come as far as we have
 */
export async function survey(
  following: Following,
  { cursor, quiet }: { readonly cursor: BlockRef; readonly quiet: boolean },
  signal: AbortSignal,
): Promise<Found | undefined> {
  const { providers } = following.followed
  let withoutNews: Found | undefined
  let fork: Found | undefined
  for (const provider of providers.awake()) {
    const view = await asking(following, provider, () => provider.view(cursor.number, signal))
    if (!view) continue
    const syncStatus = syncStatusOf(view, cursor)
    if (syncStatus === 'lagging') continue
    const found = { syncStatus, provider, head: view.head }
    if (syncStatus === 'other') {
      if (!fork || found.head.number > fork.head.number) fork = found
      continue
    }
    if (found.head.number > cursor.number || !quiet) return found
    withoutNews ??= found
  }
  return fork && fork.head.number > cursor.number ? fork : (withoutNews ?? fork)
}
