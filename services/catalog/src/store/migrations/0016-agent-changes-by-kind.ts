import { type Kysely, sql } from 'kysely'

/**
 * The last change of each kind is looked up with every change of an agent. The index of 0010 has all kinds in one order,
 * so an agent's registration was found behind all that its owner changed since.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index agent_change_by_kind on agent_change
      (network, registry, agent_id, change, block_number, log_index, sequence) where not reverted`.execute(db)
  await sql`drop index agent_change_by_agent`.execute(db)
}
