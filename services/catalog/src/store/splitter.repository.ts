import type { ObservedSplitter, Sequenced } from '@callboard/contract'
import type { CatalogTx } from './tables.ts'

/** Writes the wallet that a splitter pays out to, or that its block left the chain. The latest event wins. */
export const keepSplitter = (tx: CatalogTx, seen: Sequenced<ObservedSplitter>, reverted: boolean) =>
  tx
    .insertInto('splitter')
    .values({ network: seen.network, address: seen.splitter, wallet: seen.wallet, reverted, sequence: seen.sequence })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'address'])
        .doUpdateSet(({ ref }) => ({
          wallet: ref('excluded.wallet'),
          reverted: ref('excluded.reverted'),
          sequence: ref('excluded.sequence'),
        }))
        .whereRef('splitter.sequence', '<', 'excluded.sequence'),
    )
    .execute()
