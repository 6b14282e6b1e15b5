import type { Stats } from '@callboard/contract'
import { HOUR_MS } from '@callboard/values'
import { sql } from 'kysely'
import { fillSteps, type StepSum, type Window } from '../../domain/range.ts'
import { SHOWN } from '../ledger/ledger-reads.ts'
import type { CatalogDb } from '../tables.ts'
import { busiestPayer, participants } from './participants.repository.ts'

/** The whole hours of a window are already summed; settlements before them are counted. */
const HOURS = sql`
  (select hour as start, calls, volume, dust, dust_volume, transfers, transfer_volume, shared, shared_volume, invented,
          invented_volume from total_hour)`
const part = (condition: string) =>
  sql.raw(`count(*) filter (where ${condition}), coalesce(sum(amount_usd) filter (where ${condition}), 0)`)

/** The sums of a window by hour, beginning with the partial hour at its start. */
function hoursOf({ since }: Window, dustUsd: string) {
  const whole = new Date(Math.ceil(since.getTime() / HOUR_MS) * HOUR_MS)
  return sql`(
    select * from ${HOURS} whole where start >= ${whole}
    union all
    select date_bin('1 hour', observed_at, 'epoch'), ${part("kind = 'call'")}, ${part("kind = 'call' and is_dust")},
           ${part("kind <> 'call'")}, ${part("kind = 'call' and shared_with is not null")},
           ${part("kind = 'call' and patterns <> 0")}
    from (select *, amount_usd < ${dustUsd}::numeric as is_dust from settlement
          where ${SHOWN} and observed_at >= ${since} and observed_at < ${whole}) begun
    group by 1) hours`
}

const text = (column: string) => sql.raw(`trim_scale(coalesce(sum(${column}), 0))::text`)
const subtotal = (count: string, volume: string) =>
  sql`json_build_object('count', coalesce(sum(${sql.raw(count)}), 0), 'volumeUsd', ${text(volume)})`

type Totals = Omit<Stats['totals'], 'payers' | 'payees' | 'listings'>
/** `start` is null for the whole window. */
type Sums = Totals & { start: Date | null; above: number }

/**
 * The sums of a window and of its steps, as added up so far. Read them in one transaction with one snapshot, so that
 * they agree.
 * @param dustUsd a call below it counts in the sums of calls and volume, but for no participant
 */
export async function networkSums(
  db: CatalogDb,
  window: Window,
  dustUsd: string,
): Promise<Pick<Stats, 'totals' | 'concentration' | 'buckets'>> {
  const last = new Date(window.starts.at(-1) ?? 0)
  const { rows } = await sql<Sums>`
    select step as start, coalesce(sum(calls), 0)::bigint as calls, ${text('volume')} as "volumeUsd",
           coalesce(sum(calls - dust), 0)::bigint as above, ${subtotal('dust', 'dust_volume')} as dust,
           ${subtotal('transfers', 'transfer_volume')} as transfers, ${subtotal('shared', 'shared_volume')} as shared,
           ${subtotal('calls - invented', 'volume - invented_volume')} as surviving
    from (
      select *, least(date_bin(${`${window.stepMs} milliseconds`}::interval, start, 'epoch'::timestamptz), ${last}) as step
      from ${hoursOf(window, dustUsd)}) stepped
    group by grouping sets ((), (step))`.execute(db)
  const whole = rows.find(({ start }) => start === null)
  if (!whole) throw new Error('The sums of a window are one row')
  const { start: _, above, ...sums } = whole
  const busiest = above === 0 ? 0 : await busiestPayer(db, window.since, dustUsd)
  return {
    totals: { ...sums, ...(await participants(db, window.since)) },
    concentration: { topPayerTxShare: above === 0 ? 0 : busiest / above },
    buckets: fillSteps(window, rows.filter(isStep)),
  }
}

const isStep = (sums: Sums): sums is Sums & StepSum => sums.start !== null
