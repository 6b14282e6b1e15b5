import { ledgerFaults } from '../../../services/router/src/store/ledger.repository.ts'
import { summary } from '../invariants/invariant.ts'
import type { Attempt, Seen } from './calls.ts'
import type { Kills } from './kills.ts'
import type { Payments } from './payments.ts'
import { creditedOnce } from './payments-credited.ts'
import { OVERCLAIMING } from './sold.ts'
import type { Asked } from './upstream.ts'
import { type MoneyWorld, rowsOf } from './world.ts'

/** A call in the Router's records. */
export interface BookedCall {
  readonly id: string
  readonly key: string
  readonly state: string
  readonly ending: string | null
  readonly model: string
  readonly estimated: boolean | null
  /** Nano-USD. */
  readonly cost: bigint
  readonly held: bigint
  /** When it was admitted and settled, in this process's `performance.now()`. */
  readonly from: number
  readonly to: number
}

export interface Told {
  readonly attempts: readonly Attempt[]
  readonly kills: Kills
  readonly payments: Payments
}

/** The evidence for the verdict. */
export interface Evidence extends Told {
  readonly calls: readonly BookedCall[]
  readonly asked: readonly Asked[]
}

export async function evidenceOf(world: MoneyWorld, told: Told): Promise<Evidence> {
  const rows = await rowsOf<Record<'cost' | 'held', string> & Omit<BookedCall, 'cost' | 'held'>>(
    world,
    `select call_id as id, key_id as key, state, ending, model, estimated, coalesce(cost_nano, 0)::text as cost,
            amount_nano::text as held, extract(epoch from created_at)::float8 * 1000 as "from",
            extract(epoch from settled_at)::float8 * 1000 as "to"
     from router.call`,
  )
  const { timeOrigin } = performance
  const calls = rows.map((row) => ({
    ...row,
    ...{ cost: BigInt(row.cost), held: BigInt(row.held), from: row.from - timeOrigin, to: row.to - timeOrigin },
  }))
  return { ...told, calls, asked: await world.upstream.asked() }
}

/** Everything wrong with an idle walk, in words. */
export async function faultsOf(world: MoneyWorld, evidence: Evidence): Promise<string[]> {
  return [
    ...(await ledgerFaults(world.books.db as never)),
    ...(await rowsOf<{ fault: string }>(world, NOT_AT_REST)).map(({ fault }) => fault),
    ...summary([...chargedOtherwise(evidence)]),
    ...summary([...chargedTwice(evidence)]),
    ...summary([...answeredAndFree(evidence)]),
    ...summary([...chargedAfterTheLoss(evidence)]),
    ...(await creditedOnce(world, evidence.payments)),
    ...evidence.kills.failed,
  ]
}

/** Holds, unfinished calls, balance calls that are not one transfer of their cost, and receipt chains with gaps. */
const NOT_AT_REST = `
  select 'call ' || call_id || ' is ' || state as fault from router.call where state <> 'settled'
  union all
  select 'balance of ' || owner || ' holds ' || held_nano from router.balance where held_nano <> 0
  union all
  select 'budget of ' || subject || ' holds ' || held_nano from router.budget where held_nano <> 0
  union all
  select 'key ' || id || ' has ' || under_way || ' calls under way' from router.router_key
  where under_way <> 0 or paid_in_held_nano <> 0
  union all
  select 'call ' || call_id || ' costs ' || cost_nano || ' and is booked with ' || coalesce(booked::text, 'nothing')
  from router.call
  left join (select reference, sum(amount_nano) filter (where account_id = 'usage') as booked
             from router.ledger_transfer join router.ledger_entry on transfer_id = id
             where kind = 'usage' group by reference) transfer on reference = 'call:' || call_id
  where coalesce(booked, 0) <> case source when 'balance' then cost_nano else 0 end
  union all
  select 'receipt ' || receipt_seq || ' of key ' || key_id || ' does not follow the one before it'
  from (select key_id, receipt_seq, receipt_previous, lag(receipt_hash) over chain as before, row_number() over chain as place
        from router.call window chain as (partition by key_id order by receipt_seq)) receipt
  where receipt_seq is distinct from place or receipt_previous is distinct from before
  union all
  select 'the chain of key ' || key_id || ' ends at ' || seq || ' and its calls at ' || coalesce(last::text, 'none')
  from router.receipt_chain
  left join (select key_id, max(receipt_seq) as last from router.call group by key_id) receipt using (key_id)
  where last is distinct from seq`

const isExact = ({ ending, estimated, model }: BookedCall): boolean =>
  ending === 'completed' && estimated === false && model !== OVERCLAIMING

/** Calls whose cost is not the price of the upstream's usage, or that cost more because of our or its failure. */
function* chargedOtherwise({ calls, attempts, asked }: Evidence): Generator<string> {
  const nameOf = new Map(attempts.flatMap(({ callId, call }) => (callId ? [[callId, call.name] as const] : [])))
  const bills = Map.groupBy(asked, ({ name }) => name)
  for (const call of calls) {
    const { id, ending, cost, held, model } = call
    const what = `call ${id} of ${model} ended ${ending} and`
    if (cost > held) yield `${what} costs ${cost}, above its hold of ${held}`
    const isFree = ending === 'lost' || ending === 'broken' || ending === 'failed_before_output'
    if (isFree && cost !== 0n) yield `${what} costs ${cost}`
    if (ending === 'completed' && model === OVERCLAIMING && cost !== held) yield `${what} costs ${cost}, held ${held}`
    const name = nameOf.get(id)
    if (!isExact(call) || name === undefined) continue
    const told = (bills.get(name) ?? []).map(({ bill }) => bill)
    if (!told.includes(cost)) yield `${what} costs ${cost}, and its upstream bills ${told.join(' or ') || 'nothing'}`
  }
}

/** Charges without a request of their own at the upstream, regardless of who saw the answer. */
function* chargedTwice({ calls, asked }: Evidence): Generator<string> {
  const left = new Map<bigint, number>()
  for (const { bill } of asked) if (bill !== undefined) left.set(bill, (left.get(bill) ?? 0) + 1)
  for (const call of calls) {
    if (!isExact(call)) continue
    const of = left.get(call.cost) ?? 0
    left.set(call.cost, of - 1)
    if (of <= 0)
      yield `call ${call.id} costs ${call.cost}, which the upstream billed for no request but those charged before`
  }
}

/** Answers that arrived whole but were not charged, although Postgres was available. */
function* answeredAndFree({ calls, attempts, kills }: Evidence): Generator<string> {
  const byId = new Map(calls.map((call) => [call.id, call]))
  for (const { seen, callId, call, from, to } of attempts) {
    if (seen !== 'whole' || kills.hadNoPostgres(from, to)) continue
    const booked = callId === undefined ? undefined : byId.get(callId)
    const isCharged = booked?.ending === 'completed' || booked?.ending === 'completed_without_usage'
    if (!isCharged) yield `${call.name} ${callId} was answered whole and ended ${booked?.ending ?? 'without a call'}`
    else if (booked.cost === 0n) yield `${call.name} ${callId} was answered whole and cost nothing`
  }
}

/** How long a settlement may take once all but the last word has arrived; a kill may come in between. */
const SETTLING_MS = 300

/** Charges for answers that we had already lost: their connections were gone without the client leaving. */
function* chargedAfterTheLoss({ calls, attempts, kills }: Evidence): Generator<string> {
  const byId = Map.groupBy(attempts, ({ callId }) => callId)
  const headless = Map.groupBy(byId.get(undefined) ?? [], ({ keyId }) => keyId)
  for (const call of calls) {
    const { id, ending, cost, key, from, to } = call
    if (cost === 0n || !ending?.startsWith('completed') || kills.hadNoPostgres(from, to)) continue
    // An answer without response headers can be matched only by its key and time.
    const others = headless.get(key)?.filter((one) => one.from <= from && from <= one.to) ?? []
    const its = byId.get(id) ?? others
    const isLost = its.length > 0 && its.every(({ seen, to: lostAt }) => WE_LOST.has(seen) && lostAt + SETTLING_MS < to)
    if (isLost) yield `call ${id} was lost on its way, ended ${ending} after that, and costs ${cost}`
  }
}

const WE_LOST: ReadonlySet<Seen> = new Set(['cut', 'nothing'])
