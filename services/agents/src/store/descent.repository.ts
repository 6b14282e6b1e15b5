import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { AgentsDb, AgentsTx, EndedBy, LinkTable } from './tables.ts'

const IN_FORCE = ['approving', 'live'] as const

/** A link and its ancestors, itself first. */
export async function lineOf(db: AgentsDb, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line as (
      select id, parent_id from link where id = ${id}
      union
      select link.id, link.parent_id from link join line on link.id = line.parent_id
    ) select id from line`.execute(db)
  return rows.map((row) => row.id)
}

/** All descendants of a link that are in force, at any depth. */
export async function descendantsOf(db: AgentsDb, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line as (
      select id from link where parent_id = ${id} and state in ('approving', 'live')
      union
      select link.id from link join line on link.parent_id = line.id where link.state in ('approving', 'live')
    ) select id from line`.execute(db)
  return rows.map((row) => row.id)
}

/** The links in force that were approved through the trust in a device. */
export async function automaticOf(db: AgentsDb, owner: Address, device: string): Promise<string[]> {
  const links = await db
    .selectFrom('link')
    .select('id')
    .where('owner', '=', owner)
    .where('device', '=', device)
    .where('approved_by', '=', 'trusted_device')
    .where('state', 'in', IN_FORCE)
    .execute()
  return links.map(({ id }) => id)
}

/** Moves the children of a link to another parent, or to none. */
export const adoptChildren = (tx: AgentsTx, parentId: string, heirId: string | null) =>
  tx
    .updateTable('link')
    .set({ parent_id: heirId })
    .where('parent_id', '=', parentId)
    .where('state', 'in', IN_FORCE)
    .$if(heirId !== null, (query) => query.where('id', '<>', heirId ?? ''))
    .execute()

/** How the end of a link begins. */
export interface Ending {
  readonly by: EndedBy
  readonly now: Date
  /** When the job may first take up those that were live; if absent, now, leaving them to their caller for a minute. */
  readonly attemptedAt?: Date
}

/**
 * Begins the end of links in force. For one that is `approving`, a key may be requested at this moment, so it is always
 * left to the job.
 * @returns the links as they are now, with their state before
 */
export async function beginEnds(tx: AgentsTx, ids: readonly string[], { by, now, attemptedAt = now }: Ending) {
  const found =
    ids.length === 0
      ? []
      : await tx
          .selectFrom('link')
          .selectAll()
          .where('id', 'in', [...ids])
          .where('state', 'in', IN_FORCE)
          .orderBy('id')
          .forUpdate()
          .execute()
  const ended = found.map((link): LinkTable & { readonly wasLive: boolean } => ({
    ...link,
    ...{ state: 'ending', ended_at: now, ended_by: by, wasLive: link.state === 'live' },
    attempted_at: link.state === 'live' ? attemptedAt : now,
  }))
  for (const { id, state, ended_at, ended_by, attempted_at } of ended) {
    await tx.updateTable('link').set({ state, ended_at, ended_by, attempted_at }).where('id', '=', id).execute()
  }
  return ended
}
