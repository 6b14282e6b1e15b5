import type { AgentFeedback, FeedbackGroup, ObservedIdentity, Sequenced } from '@callboard/contract'
import { MAX_FEEDBACK_ROWS } from '@callboard/contract'
import { decimalText } from '@callboard/values'
import { sql } from 'kysely'
import { SHOWN } from '../ledger/ledger-reads.ts'
import type { CatalogDb, CatalogTx } from '../tables.ts'
import type { AgentRow } from './agent.repository.ts'
import { logRow } from './log-row.ts'

type Feedback = Sequenced<
  Extract<ObservedIdentity, { change: 'feedback_given' | 'feedback_revoked' | 'feedback_answered' }>
>

/** Writes feedback on an agent, its revocation, or a response to it. */
export const keepFeedback = (tx: CatalogTx, said: Feedback, reverted: boolean) =>
  tx
    .insertInto('agent_feedback')
    .values({ ...logRow(said, reverted), client: said.client, index: said.index, ...wordsOf(said) })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'tx_hash', 'log_index'])
        .doUpdateSet(({ ref }) => ({
          block_number: ref('excluded.block_number'),
          observed_at: ref('excluded.observed_at'),
          registry: ref('excluded.registry'),
          agent_id: ref('excluded.agent_id'),
          change: ref('excluded.change'),
          client: ref('excluded.client'),
          index: ref('excluded.index'),
          value: ref('excluded.value'),
          tag1: ref('excluded.tag1'),
          tag2: ref('excluded.tag2'),
          reverted: ref('excluded.reverted'),
          sequence: ref('excluded.sequence'),
        }))
        .whereRef('agent_feedback.sequence', '<', 'excluded.sequence'),
    )
    .execute()

function wordsOf(said: Feedback) {
  if (said.change !== 'feedback_given') return { value: null, tag1: null, tag2: null }
  const { value, decimals, tag1, tag2 } = said
  const text = decimalText(BigInt(value.replace('-', '')), decimals)
  return { value: value.startsWith('-') ? `-${text}` : text, tag1, tag2 }
}

type Side = 'payers' | 'others' | 'own'

interface Row {
  readonly sides: readonly { side: Side; count: number; clients: number; pairs: number }[] | null
  readonly tags: readonly (FeedbackGroup['tags'][number] & { side: Side })[] | null
  readonly speakers: readonly (FeedbackGroup['clientList'][number] & { side: Side })[] | null
  readonly revoked: number
  readonly answers: number
}

/**
 * Feedback on an agent by client. A client is a payer after one call of a listing, no dust and showing no invented volume,
 * to the agent's owner or wallet or to a splitter of theirs. Any past owner or wallet counts as the agent itself. Other payments are not judged: the agent's own wallets could pass money around.
 * @param dustUsd exact decimal; payments below it make no payer
 */
export async function feedbackOn(
  db: CatalogDb,
  agent: AgentRow,
  dustUsd: string,
): Promise<Omit<AgentFeedback, 'readAt'>> {
  const of = sql`network = ${agent.network} and registry = ${agent.registry} and agent_id = ${agent.agentId}::numeric
    and not reverted`
  const counts = sql`settlement.pay_to = any(array(select address from payees)) and ${SHOWN}
    and settlement.kind = 'call' and settlement.patterns = 0 and settlement.amount_usd >= ${dustUsd}::numeric`
  const { rows } = await sql<Row>`
    with own as (select distinct address from agent_change where ${of} and address is not null),
    wallets as (select unnest(${[agent.owner, ...(agent.wallet ? [agent.wallet] : [])]}::text[]) as address),
    payees as (
      select address from wallets
      union select splitter.address from splitter join wallets on splitter.wallet = wallets.address
      where not splitter.reverted),
    given as materialized (
      select client, index, value, tag1, tag2, observed_at from agent_feedback as one
      where ${of} and change = 'feedback_given' and not exists (
        select from agent_feedback as back
        where back.network = one.network and back.registry = one.registry and back.agent_id = one.agent_id
          and back.client = one.client and back.index = one.index and back.change = 'feedback_revoked'
          and not back.reverted)),
    sided as materialized (
      select client, case when client in (select address from own) then 'own'
        when exists (select from settlement where payer = client and ${counts}) then 'payers' else 'others' end as side
      from (select distinct client from given) as clients),
    said as materialized (select given.*, side from given join sided using (client)),
    by_tag as (
      select side, tag1, tag2, count(*) as count, count(distinct client) as clients, min(value) as lowest,
             percentile_disc(0.5) within group (order by value) as median, max(value) as highest,
             row_number() over (partition by side order by count(*) desc, tag1, tag2) as place
      from said where side <> 'own' group by side, tag1, tag2),
    by_client as (
      select side, client, count(*) as count, max(observed_at) as last_at,
             row_number() over (partition by side order by count(*) desc, client) as place
      from said where side <> 'own' group by side, client)
    select
      (select json_agg(json_build_object('side', side, 'count', count, 'clients', clients, 'pairs', pairs))
       from (select side, count(*) as count, count(distinct client) as clients, count(distinct (tag1, tag2)) as pairs
             from said group by side) as one) as sides,
      (select json_agg(json_build_object('side', side, 'tag1', tag1, 'tag2', tag2, 'count', count, 'clients', clients,
          'lowest', trim_scale(lowest)::text, 'median', trim_scale(median)::text, 'highest', trim_scale(highest)::text)
          order by place)
       from by_tag where place <= ${MAX_FEEDBACK_ROWS}) as tags,
      (select json_agg(json_build_object('side', side, 'client', client, 'count', count, 'lastAt', ${iso('last_at')},
          'paid', paid) order by place)
       from by_client left join lateral (
         select json_build_object('payments', count(*), 'amountUsd', trim_scale(sum(amount_usd))::text,
                                  'lastAt', ${iso('max(observed_at)')}) as paid
         from settlement where side = 'payers' and payer = client and ${counts} having count(*) > 0) as sums on true
       where place <= ${MAX_FEEDBACK_ROWS}) as speakers,
      (select count(distinct (client, index))::integer from agent_feedback
       where ${of} and change = 'feedback_revoked') as revoked,
      (select count(*)::integer from agent_feedback where ${of} and change = 'feedback_answered') as answers`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('What is said of an agent is one row')
  const { count = 0, clients = 0 } = row.sides?.find(({ side }) => side === 'own') ?? {}
  const { revoked, answers } = row
  const groups = { fromPayers: groupOf(row, 'payers'), fromOthers: groupOf(row, 'others') }
  return { ...groups, own: { count, clients }, revoked, answers }
}

/** A Postgres timestamp as RFC 3339 in UTC, to the millisecond. */
const iso = (expression: string) =>
  sql`to_char(${sql.raw(expression)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

function groupOf({ sides, tags, speakers }: Row, wanted: Side): FeedbackGroup {
  const { count = 0, clients = 0, pairs = 0 } = sides?.find(({ side }) => side === wanted) ?? {}
  const ofSide = <One extends { side: Side }>(all: readonly One[] | null) =>
    (all ?? []).filter(({ side }) => side === wanted).map(({ side: _, ...one }) => one)
  return { count, clients, tagPairs: pairs, tags: ofSide(tags), clientList: ofSide(speakers) }
}
