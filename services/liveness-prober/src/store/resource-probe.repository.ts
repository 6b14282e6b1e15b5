import { type Selectable, sql } from 'kysely'
import { bringForward } from './origin.repository.ts'
import type { ProberDb, ProberTx, ResourceProbeTable } from './tables.ts'

export type ResourceProbe = Selectable<ResourceProbeTable>

/** The most waiting probes. Further requests are dropped: the requester bounds its requests, and repeats them. */
const MAX_WAITING = 10_000

/** Adds a request, due now. A newer request for the same URL replaces an older one. */
export async function addResourceProbe(
  tx: ProberTx,
  { url, probeId }: { readonly url: string; readonly probeId: string },
  now: Date,
): Promise<void> {
  const { origin } = new URL(url)
  await bringForward(tx, [origin], now)
  await sql`
    insert into resource_probe (url, origin, probe_id, next_due_at)
    select ${url}, ${origin}, ${probeId}, ${now}
    where (select count(*) from (select from resource_probe limit ${MAX_WAITING}) waiting) < ${MAX_WAITING}
    on conflict (url) do update set probe_id = excluded.probe_id`.execute(tx)
}

/** The probes of an origin that are due, in the order in which they came due. */
export const dueResourceProbes = (db: ProberDb, origin: string, now: Date, limit: number): Promise<ResourceProbe[]> =>
  db
    .selectFrom('resource_probe')
    .selectAll()
    .where('origin', '=', origin)
    .where('next_due_at', '<=', now)
    .orderBy('next_due_at')
    .orderBy('url')
    .limit(limit)
    .execute()

/** Ends a request that was answered. @returns false if it was already answered, or replaced by a newer one */
export async function endResourceProbe(tx: ProberTx, { url, probe_id }: ResourceProbe): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('resource_probe')
    .where('url', '=', url)
    .where('probe_id', '=', probe_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
