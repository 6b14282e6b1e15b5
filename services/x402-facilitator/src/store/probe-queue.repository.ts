import type { ProbeState } from '@callboard/contract'
import { sql } from 'kysely'
import type { AskedProbe, DueProbe } from '../domain/probe-sums.ts'
import type { FacilitatorTx } from './tables.ts'

/** A resource that is due for a probe. */
export interface DueResource extends DueProbe {
  readonly origin: string
  readonly isListed: boolean
  readonly state: ProbeState | null
  readonly askedAt: Date | null
  readonly offeredAt: Date | null
}

/** Locks the queue for a transaction, so that its quotas hold over replicas. @returns false while another one has it */
export async function takeQueue(tx: FacilitatorTx): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(current_schema() || ':queue-probes')) as taken`.execute(tx)
  return rows[0]?.taken === true
}

/** Locks resources that are due, most overdue first. Rows locked by a settlement or a probe's answer are skipped. */
export async function lockDue(tx: FacilitatorTx, now: Date, limit: number): Promise<DueResource[]> {
  const { rows } = await sql<DueResource>`
    select url, origin, coalesce(site, origin) as site, is_listed as "isListed", state, asked_at as "askedAt", offered_at as "offeredAt",
      array(select pay_to from settled_terms terms where terms.url = resource.url order by first_settled_at, pay_to)
        as payees
    from discovered_resource resource where due_at <= ${now}
    order by due_at, url limit ${limit} for update skip locked`.execute(tx)
  return rows
}

/** When the first resource is due; undefined where none is. */
export async function firstDueAt(tx: FacilitatorTx): Promise<Date | undefined> {
  const { at } = await tx
    .selectFrom('discovered_resource')
    .select((row) => row.fn.min('due_at').as('at'))
    .executeTakeFirstOrThrow()
  return at ?? undefined
}

/** The probes requested since a moment; older ones are deleted. */
export async function askedSince(tx: FacilitatorTx, since: Date): Promise<AskedProbe[]> {
  await tx.deleteFrom('probe_asked').where('asked_at', '<', since).execute()
  return tx
    .selectFrom('probe_asked')
    .select((row) => [row.fn.coalesce('site', 'origin').as('site'), 'pay_to as payTo'])
    .execute()
}

export interface Asked extends AskedProbe {
  readonly origin: string
  readonly url: string
  readonly probeId: string
}

/** Records probes as requested. Without an answer, they are due again after the regular interval. */
export async function noteAsked(
  tx: FacilitatorTx,
  asked: readonly Asked[],
  { now, intervalMs }: { readonly now: Date; readonly intervalMs: number },
): Promise<void> {
  if (asked.length === 0) return
  const json = JSON.stringify(asked)
  await sql`
    insert into probe_asked (probe_id, origin, site, pay_to, asked_at)
    select "probeId", origin, site, "payTo", ${now}
    from json_to_recordset(${json}::json) as asked ("probeId" text, origin text, site text, "payTo" text)`.execute(tx)
  await sql`
    update discovered_resource set probe_id = asked."probeId", asked_at = ${now},
      due_at = ${new Date(now.getTime() + intervalMs)}
    from json_to_recordset(${json}::json) as asked (url text, "probeId" text)
    where discovered_resource.url = asked.url`.execute(tx)
}

/** Postpones resources until a moment; null: until a further payment names them. */
export async function postponeResources(tx: FacilitatorTx, urls: readonly string[], until: Date | null): Promise<void> {
  if (urls.length === 0) return
  await tx.updateTable('discovered_resource').set({ due_at: until }).where('url', 'in', urls).execute()
}
