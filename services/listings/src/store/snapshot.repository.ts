import type { ListingSnapshot } from '@callboard/contract'
import { sql } from 'kysely'
import { abridged } from '../domain/abridged.ts'
import type { ListingsDb } from './tables.ts'

const ABRIDGED_AT_ONCE = 100

/**
 * Abridges a portion of the snapshots in the outbox that were published before a time and are not their listing's last.
 * @returns whether there may be more
 */
export async function abridgeSnapshots(db: ListingsDb, before: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ sequence: number; data: ListingSnapshot }>`
      select sequence, data from outbox earlier
      where name = 'listing.changed.v1' and not data ? 'abridged' and published_at < ${before} and exists (
        select from outbox later
        where later.name = 'listing.changed.v1' and not later.data ? 'abridged'
          and later.key = earlier.key and later.sequence > earlier.sequence)
      limit ${ABRIDGED_AT_ONCE} for update skip locked`.execute(tx)
    await sql`
      update outbox set data = short.data::jsonb
      from unnest(${rows.map(({ sequence }) => sequence)}::bigint[],
                  ${rows.map(({ data }) => JSON.stringify(abridged(data)))}::text[]) as short (sequence, data)
      where outbox.sequence = short.sequence`.execute(tx)
    return rows.length === ABRIDGED_AT_ONCE
  })
}
