import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { AgentsDb, AgentsTx, EndedBy, LinkTable } from './tables.ts'

/** @returns false if this grant already has a link */
export async function insertLink(tx: AgentsTx, link: LinkTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('link')
    .values(link)
    .onConflict((conflict) => conflict.column('grant_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const linkById = (db: AgentsDb, id: string) =>
  db.selectFrom('link').selectAll().where('id', '=', id).executeTakeFirst()

/** Locked: Router requests for one link, and its end, are serialized. */
export const lockLink = (tx: AgentsTx, id: string) =>
  tx.selectFrom('link').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** An owner's links, oldest first. */
export const linksOf = (db: AgentsDb, owner: Address, states: readonly LinkTable['state'][]) =>
  db
    .selectFrom('link')
    .selectAll()
    .where('owner', '=', owner)
    .where('state', 'in', states)
    .orderBy('linked_at')
    .orderBy('id')
    .execute()

/** Live links, and those that ended after a given time, oldest first. */
export const recentLinksOf = (db: AgentsDb, owner: Address, endedAfter: Date) =>
  db
    .selectFrom('link')
    .selectAll()
    .where('owner', '=', owner)
    .where((row) => row.or([row('state', '=', 'live'), row('ended_at', '>', endedAfter)]))
    .orderBy('linked_at')
    .orderBy('id')
    .execute()

export const liveLink = (db: AgentsDb, owner: Address, clientId: string) =>
  db
    .selectFrom('link')
    .selectAll()
    .where('owner', '=', owner)
    .where('client_id', '=', clientId)
    .where('state', '=', 'live')
    .executeTakeFirst()

/** The link that determines a client's state for an owner: the live one, or else the newest. */
export const latestLink = (db: AgentsDb, owner: Address, clientId: string) =>
  db
    .selectFrom('link')
    .selectAll()
    .where('owner', '=', owner)
    .where('client_id', '=', clientId)
    .orderBy((row) => row('state', '=', 'live'), 'desc')
    .orderBy('linked_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The number of an owner's places held by agents other than one wallet. */
export async function othersLinked(db: AgentsDb, owner: Address, wallet: Address): Promise<number> {
  const { taken } = await db
    .selectFrom('link')
    .select((row) => row.fn.count<number>('client_id').distinct().as('taken'))
    .where('owner', '=', owner)
    .where('wallet', '<>', wallet)
    .where('state', 'in', ['approving', 'live'])
    .executeTakeFirstOrThrow()
  return Number(taken)
}

/** Counts links per state, using the partial indexes; not `over`, which holds every link ever made. */
export async function countLinks(db: AgentsDb): Promise<Map<LinkTable['state'], number>> {
  const { rows } = await sql<{ state: LinkTable['state']; count: number }>`
    select 'live' as state, count(*)::integer as count from link where state = 'live'
    union all
    select state, count(*)::integer from link where state in ('approving', 'ending') group by state`.execute(db)
  return new Map(rows.map(({ state, count }) => [state, count]))
}

export const changeLink = (db: AgentsDb, id: string, change: Partial<LinkTable>) =>
  db.updateTable('link').set(change).where('id', '=', id).execute()

/** Records that an owner has seen live agents that were approved automatically. */
export const noteSeen = (db: AgentsDb, owner: Address, clientIds: readonly string[], now: Date) =>
  db
    .updateTable('link')
    .set({ seen_at: now })
    .where('owner', '=', owner)
    .where('client_id', 'in', [...clientIds])
    .where('state', '=', 'live')
    .where('seen_at', 'is', null)
    .execute()

/** Records that the Router is about to be asked for a key. @returns whether that was not recorded yet */
export async function noteKeyAsked(db: AgentsDb, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('link')
    .set({ may_have_key: true })
    .where('id', '=', id)
    .where('may_have_key', '=', false)
    .where('state', 'in', ['approving', 'live'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether a link of an owner to a client is being approved. */
export async function isBeingApproved(
  tx: AgentsTx,
  { owner, client_id: clientId }: Pick<LinkTable, 'owner' | 'client_id'>,
): Promise<boolean> {
  const link = await tx
    .selectFrom('link')
    .select('id')
    .where('owner', '=', owner)
    .where('client_id', '=', clientId)
    .where('state', '=', 'approving')
    .limit(1)
    .executeTakeFirst()
  return link !== undefined
}

/** Begins the end of an owner's live link to a client. @returns the link, if there was one */
export const beginEnd = (
  db: AgentsDb,
  { owner, client_id: clientId }: Pick<LinkTable, 'owner' | 'client_id'>,
  by: EndedBy,
  now: Date,
) =>
  db
    .updateTable('link')
    .set({ state: 'ending', attempted_at: now, ended_at: now, ended_by: by })
    .where('owner', '=', owner)
    .where('client_id', '=', clientId)
    .where('state', '=', 'live')
    .returningAll()
    .executeTakeFirst()

/** @returns false if it was over before */
export async function endLink(tx: AgentsTx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('link')
    .set({ state: 'over' })
    .where('id', '=', id)
    .where('state', '=', 'ending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes a link that was never completed. */
export const dropLink = (db: AgentsDb, id: string) =>
  db.deleteFrom('link').where('id', '=', id).where('state', '=', 'approving').execute()

/** Removes links that ended before a given time. */
export const sweepLinks = (db: AgentsDb, endedBefore: Date) =>
  db.deleteFrom('link').where('state', '=', 'over').where('ended_at', '<', endedBefore).execute()

/** The channel that notifies the job of a link left to it. */
export const unsettledChannel = (schema: string): string => `unsettled_${schema}`

/** Wakes the job of all replicas at commit. */
export const tellOfUnsettled = (tx: AgentsTx) => sql`select pg_notify('unsettled_' || current_schema(), '')`.execute(tx)

/** The oldest time at which an unfinished link or an unsure allowance was last tried; undefined if there is none. */
export async function oldestUnsettled(db: AgentsDb): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(attempted_at) from link where state in ('approving', 'ending')),
      (select min(allowance_asked_at) from link where state = 'live' and allowance_asked_at is not null)) as at`.execute(
    db,
  )
  return rows[0]?.at ?? undefined
}

/** Takes links that no process has tried to settle since a given time; concurrent replicas get different ones. */
export const takeUnsettled = (db: AgentsDb, untriedSince: Date, now: Date, atMost: number) =>
  db
    .updateTable('link')
    .set({ attempted_at: now })
    .where('id', 'in', (row) =>
      row
        .selectFrom('link')
        .select('id')
        .where('state', 'in', ['approving', 'ending'])
        .where('attempted_at', '<=', untriedSince)
        .orderBy('attempted_at')
        .limit(atMost)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

/**
 * Records, before the Router is asked for another allowance of a live link, that it may differ from the stored one.
 * @returns whether it certainly equalled the stored one until now
 */
export async function noteAllowanceAsked(db: AgentsDb, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isSure: boolean }>`
    with before as (select id, allowance_asked_at from link where id = ${id} and state = 'live' for update)
    update link set allowance_asked_at = ${now} from before where link.id = before.id
    returning before.allowance_asked_at is null as "isSure"`.execute(db)
  return rows[0]?.isSure ?? false
}

/** Takes live links whose allowance has been unsure since a given time; concurrent replicas get different ones. */
export const takeUnsureAllowances = (db: AgentsDb, untriedSince: Date, now: Date, atMost: number) =>
  db
    .updateTable('link')
    .set({ allowance_asked_at: now })
    .where('id', 'in', (row) =>
      row
        .selectFrom('link')
        .select('id')
        .where('state', '=', 'live')
        .where('allowance_asked_at', '<=', untriedSince)
        .orderBy('allowance_asked_at')
        .limit(atMost)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
