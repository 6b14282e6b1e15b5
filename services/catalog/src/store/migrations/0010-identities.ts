import { type Kysely, sql } from 'kysely'

/** Agents of ERC-8004 registries: every log entry, the agents that result from them, and clients' feedback on them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const log = sql`
    network text collate "C" not null,
    tx_hash text collate "C" not null,
    log_index integer not null,
    block_number bigint not null,
    observed_at timestamptz not null,
    registry text collate "C" not null,
    agent_id numeric(78, 0) not null,
    reverted boolean not null,
    sequence bigint not null,
    change text not null`
  const key = sql`primary key (network, tx_hash, log_index)`
  await sql`
    create table agent_change (${log}, address text collate "C", uri text, uri_cut boolean, ${key})`.execute(db)
  await sql`
    create index agent_change_by_agent on agent_change (network, registry, agent_id, block_number, log_index)
      where not reverted`.execute(db)
  await sql`
    create table agent (
      network text collate "C" not null,
      registry text collate "C" not null,
      agent_id numeric(78, 0) not null,
      owner text collate "C" not null,
      wallet text collate "C",
      uri text,
      uri_cut boolean,
      registered_at timestamptz,
      registration_tx text,
      primary key (network, registry, agent_id)
    )`.execute(db)
  for (const [name, column] of [
    ['agent_by_owner', 'owner'],
    ['agent_by_wallet', 'wallet'],
  ] as const) {
    await sql`create index ${sql.id(name)} on agent (${sql.id(column)}, network, registry, agent_id)`.execute(db)
  }
  await sql`
    create table agent_feedback (
      ${log}, client text collate "C" not null, index numeric(78, 0) not null, value numeric, tag1 text, tag2 text, ${key}
    )`.execute(db)
  await sql`
    create index agent_feedback_by_agent on agent_feedback (network, registry, agent_id, client, index)
      where not reverted`.execute(db)
  // Whether a client paid an agent is looked up by pair.
  await sql`create index settlement_by_pair on settlement (pay_to, payer) where not reverted`.execute(db)
  await sql`create index splitter_by_wallet on splitter (wallet) where not reverted`.execute(db)
}
