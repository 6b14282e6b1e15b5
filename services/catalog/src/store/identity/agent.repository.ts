import type { ClaimedUri, ObservedIdentity, Sequenced } from '@callboard/contract'
import type { Address, Caip2 } from '@callboard/values'
import { type SqlBool, sql } from 'kysely'
import type { AgentPlace } from '../../domain/places.ts'
import { lockAgents } from '../locks.ts'
import type { CatalogDb, CatalogTx } from '../tables.ts'
import { logRow } from './log-row.ts'

/** A change of an agent itself, not feedback on it. */
export type AgentChange = Sequenced<
  Extract<ObservedIdentity, { change: 'registered' | 'transferred' | 'uri_set' | 'wallet_set' }>
>

/**
 * Writes a change, and the agent that results from all valid changes. A transaction that reappears in another block may
 * register another agent than before: then both are rebuilt.
 */
export async function keepAgentChange(tx: CatalogTx, said: AgentChange, reverted: boolean): Promise<void> {
  await lockAgents(tx, said)
  const before = await tx
    .selectFrom('agent_change')
    .select(['network', 'registry', 'agent_id as agentId'])
    .where('network', '=', said.network)
    .where('tx_hash', '=', said.txHash)
    .where('log_index', '=', said.logIndex)
    .executeTakeFirst()
  const { numInsertedOrUpdatedRows } = await writeChange(tx, said, reverted)
  if (numInsertedOrUpdatedRows === 0n) return
  await makeAgent(tx, said)
  if (before && before.agentId !== said.agentId) await makeAgent(tx, before)
}

const writeChange = (tx: CatalogTx, said: AgentChange, reverted: boolean) =>
  tx
    .insertInto('agent_change')
    .values({ ...logRow(said, reverted), ...columnsOf(said) })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'tx_hash', 'log_index'])
        .doUpdateSet(({ ref }) => ({
          block_number: ref('excluded.block_number'),
          observed_at: ref('excluded.observed_at'),
          registry: ref('excluded.registry'),
          agent_id: ref('excluded.agent_id'),
          change: ref('excluded.change'),
          address: ref('excluded.address'),
          uri: ref('excluded.uri'),
          uri_cut: ref('excluded.uri_cut'),
          reverted: ref('excluded.reverted'),
          sequence: ref('excluded.sequence'),
        }))
        .whereRef('agent_change.sequence', '<', 'excluded.sequence'),
    )
    .executeTakeFirstOrThrow()

function columnsOf(said: AgentChange): { address: Address | null; uri: string | null; uri_cut: boolean | null } {
  const uri = 'uri' in said ? said.uri : undefined
  const address = 'owner' in said ? said.owner : 'wallet' in said ? said.wallet : null
  return { address, uri: uri?.text ?? null, uri_cut: uri?.cut ?? null }
}

export type AgentName = Readonly<Pick<ObservedIdentity, 'network' | 'registry' | 'agentId'>>

const isAgent = ({ network, registry, agentId }: AgentName) =>
  sql<SqlBool>`network = ${network} and registry = ${registry} and agent_id = ${agentId}::numeric`

async function makeAgent(tx: CatalogTx, name: AgentName): Promise<void> {
  await sql`delete from agent where ${isAgent(name)}`.execute(tx)
  await insertAgent(tx, name)
}

/**
 * The last change of each of an agent's members wins; of two at one place of the chain, one of which is yet to be
 * reverted, the one observed last. An agent whose registration and transfers all left the chain does not exist. Each
 * kind of change is looked up alone, in the order of its index: an agent's owner decides how many there are.
 */
export async function insertAgent(db: CatalogDb, name: AgentName): Promise<void> {
  const { network, registry, agentId } = name
  const latest = sql`block_number desc, log_index desc, sequence desc`
  const lastOf = (change: string) => sql`
    (select * from agent_change where ${isAgent(name)} and not reverted and change = ${change} order by ${latest} limit 1)`
  const last = (member: string, ...changes: readonly string[]) => sql`
    (select ${sql.ref(member)} from (${sql.join(changes.map(lastOf), sql` union all `)}) one order by ${latest} limit 1)`
  await sql`
    insert into agent (network, registry, agent_id, owner, wallet, uri, uri_cut, registered_at, registration_tx)
    select * from (
      select ${network}::text, ${registry}::text, ${agentId}::numeric, ${last('address', 'registered', 'transferred')} as owner,
        ${last('address', 'wallet_set')}, ${last('uri', 'registered', 'uri_set')}, ${last('uri_cut', 'registered', 'uri_set')},
        ${last('observed_at', 'registered')}, ${last('tx_hash', 'registered')}
    ) as made where owner is not null`.execute(db)
}

/** An agent according to its registry's logs. */
export interface AgentRow {
  readonly network: Caip2
  readonly registry: Address
  readonly agentId: string
  readonly owner: Address
  readonly wallet: Address | null
  readonly uri: ClaimedUri | null
  readonly registeredAt: Date | null
  readonly registrationTx: string | null
}

/**
 * The next agents of a wallet after a place, in the order of their ids: those that it owns and those that name it, each
 * read in the order of its own index. An equality would leave Postgres free to read all agents in order instead.
 */
export async function agentPage(
  db: CatalogDb,
  wallet: Address,
  limit: number,
  after?: AgentPlace,
): Promise<AgentRow[]> {
  const sides = (['owner', 'wallet'] as const).map((side) => {
    const column = sql.ref(`agent.${side}`)
    const start = after
      ? sql<SqlBool>`(${column}, network, registry, agent_id) > (${wallet}, ${after.network}, ${after.registry}, ${after.agentId}::numeric)`
      : sql<SqlBool>`${column} >= ${wallet}`
    return sql`(select * from agent where ${start} and ${column} <= ${wallet}
      order by ${column}, network, registry, agent_id limit ${limit})`
  })
  const { rows } = await sql<Omit<AgentRow, 'uri'> & { text: string | null; cut: boolean | null }>`
    select network, registry, agent_id::text as "agentId", owner, wallet, uri as text, uri_cut as cut,
           registered_at as "registeredAt", registration_tx as "registrationTx"
    from (${sql.join(sides, sql` union `)}) found order by network, registry, agent_id limit ${limit}`.execute(db)
  return rows.map(({ text, cut, ...agent }) => ({ ...agent, uri: text === null ? null : { text, cut: cut ?? false } }))
}

export async function countAgents(db: CatalogDb, wallet: Address): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from agent where owner = ${wallet} or wallet = ${wallet}`.execute(db)
  return rows[0]?.total ?? 0
}
