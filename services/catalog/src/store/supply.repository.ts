import type { ObservedSupplyChange, Sequenced } from '@callboard/contract'
import { decimalText } from '@callboard/values'
import { sql } from 'kysely'
import type { CatalogDb, CatalogTx } from './tables.ts'

/** Writes a change of supply: that it is in a block, or that its block left the chain. */
export const keepSupplyChange = (tx: CatalogTx, seen: Sequenced<ObservedSupplyChange>, reverted: boolean) =>
  tx
    .insertInto('supply_change')
    .values({
      ...{ network: seen.network, tx_hash: seen.txHash, log_index: seen.logIndex, reverted, sequence: seen.sequence },
      total_change: wholeOf(seen.totalChange, seen.decimals),
      locked_change: wholeOf(seen.lockedChange, seen.decimals),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'tx_hash', 'log_index'])
        .doUpdateSet(({ ref }) => ({
          total_change: ref('excluded.total_change'),
          locked_change: ref('excluded.locked_change'),
          reverted: ref('excluded.reverted'),
          sequence: ref('excluded.sequence'),
        }))
        .whereRef('supply_change.sequence', '<', 'excluded.sequence'),
    )
    .execute()

const wholeOf = (units: string, decimals: number): string =>
  units.startsWith('-') ? `-${decimalText(BigInt(units.slice(1)), decimals)}` : decimalText(BigInt(units), decimals)

/** The token's supply in whole units as exact decimal text: all of it, and what is not locked as stake. */
export async function supplyOf(db: CatalogDb): Promise<{ total: string; circulating: string }> {
  const { rows } = await sql<{ total: string; circulating: string }>`
    select trim_scale(coalesce(sum(total_change), 0))::text as total,
           trim_scale(coalesce(sum(total_change - locked_change), 0))::text as circulating
    from supply_change where not reverted`.execute(db)
  return rows[0] ?? { total: '0', circulating: '0' }
}
