import { sql } from 'kysely'
import type { AgentsDb, AgentsTx } from './tables.ts'

export interface InForce {
  readonly links: number
  readonly trusts: number
  readonly relays: number
}

export async function linksInForce(db: AgentsDb): Promise<InForce> {
  const { rows } = await sql<InForce>`
    select (select count(*) from link where state in ('approving', 'live')) as links,
           (select count(*) from device_trust) as trusts,
           (select count(*) from relay where expires_at > now()) as relays`.execute(db)
  return rows[0] ?? { links: 0, trusts: 0, relays: 0 }
}

/**
 * Begins the end of every link in force, which the job completes, and ends all device trust and the content of relays.
 * A link that is being approved ends as if from above, so that its grant is denied.
 */
export async function endEverything(tx: AgentsTx, now: Date): Promise<void> {
  await sql`
    update link set state = 'ending', attempted_at = to_timestamp(0), ended_at = ${now},
      ended_by = case state when 'live' then 'revoked' else 'trust' end
    where state in ('approving', 'live')`.execute(tx)
  await tx.deleteFrom('device_trust').execute()
  await tx.updateTable('link_request').set({ expires_at: now }).where('expires_at', '>', now).execute()
  await sql`
    update relay set version = null, enc = null, ciphertext = null, expires_at = ${now}, read_at = coalesce(read_at, ${now})
    where expires_at > ${now}`.execute(tx)
}
