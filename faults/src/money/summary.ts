import { usdText } from '../../../services/router/src/domain/usd.ts'
import type { Seen } from './calls.ts'
import { OVERCLAIMING } from './sold.ts'
import type { Evidence } from './verdict.ts'
import type { MoneyOutcome } from './walk.ts'

const usd = (nano: bigint): string => `${usdText(nano)} USD`
const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, one) => total + one, 0n)

/** The report of a walk, line by line. */
export function summaryOf({ faults, evidence, watcher, kills, leftBehind, seconds }: MoneyOutcome): string[] {
  const { attempts, calls, payments } = evidence
  const names = new Set(attempts.map(({ call }) => call.name))
  const settled = payments.handedIn.filter(({ outcome }) => outcome === 'settled').length
  const times = payments.handedIn.reduce((total, one) => total + one.times, 0)
  return [
    `${names.size} calls in ${attempts.length} requests, ${Math.round(seconds)} s`,
    ...table(
      'their clients saw',
      countBy(attempts, ({ seen, status }) => said(seen, status)),
    ),
    ...table(
      'the books say',
      countBy(calls, ({ ending, state }) => ending ?? state),
    ),
    ...table('killed', kills.done),
    ...table(
      'the watcher',
      new Map([
        ['looks at every balance, budget and transfer', watcher.looks],
        ['looks at all of the books', watcher.wholeLooks],
        ['without an answer of Postgres', watcher.missed],
      ]),
    ),
    ...table(
      'payments',
      new Map([
        ['settled and credited', settled],
        ['presented in all', times],
        ['refused', payments.handedIn.filter(({ outcome }) => outcome === 'refused').length],
      ]),
    ),
    ...dollars(evidence),
    ...table('left behind', new Map([['holds of processes that died, released by the sweep', leftBehind]])),
    ...faults.map((fault) => `BROKEN: ${fault}`),
    faults.length === 0 ? 'held: nothing was spent twice, credited twice or left behind' : `${faults.length} broken`,
  ]
}

const said = (seen: Seen, status: number): string => (seen === 'refused' ? `answered ${status}` : seen)

function dollars({ calls, asked, attempts }: Evidence): string[] {
  const whole = new Set(attempts.flatMap(({ seen, callId }) => (seen === 'whole' && callId ? [callId] : [])))
  const isCompleted = ({ ending }: { ending: string | null }) => ending?.startsWith('completed') === true
  const costOf = (of: Evidence['calls']) => usd(sum(of.map(({ cost }) => cost)))
  const unseen = calls.filter((call) => isCompleted(call) && !whole.has(call.id))
  const exact = calls.filter(
    ({ ending, estimated, model }) => ending === 'completed' && !estimated && model !== OVERCLAIMING,
  )
  const billed = asked.flatMap(({ bill, status }) =>
    bill !== undefined && bill < HUGE && status === 200 ? [bill] : [],
  )
  return [
    'dollars',
    `  charged                                    ${costOf(calls)}`,
    `    for usage as the upstream bills it       ${costOf(exact)}`,
    `    for calls that their clients left        ${costOf(calls.filter(({ ending }) => ending === 'cancelled'))}`,
    `    for answers whose end did not come       ${costOf(unseen)} (${unseen.length} calls; ${seenOf(attempts, unseen)})`,
    `  the upstream bills for whole answers       ${usd(sum(billed))}`,
    `  free: held for calls that were lost        ${usd(sum(calls.filter(({ ending }) => ending === 'lost').map(({ held }) => held)))}`,
  ]
}

/** What clients saw of calls; nothing is known of those without response headers. */
function seenOf(attempts: Evidence['attempts'], calls: Evidence['calls']): string {
  const seen = new Map(attempts.flatMap((one) => (one.callId ? [[one.callId, one.seen] as const] : [])))
  const counts = countBy(calls, ({ id }) => seen.get(id) ?? 'without a head')
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}

/** No correct bill of the sample comes near it. */
const HUGE = 10n ** 12n

function countBy<One>(all: readonly One[], kind: (one: One) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(kind(one), (counts.get(kind(one)) ?? 0) + 1)
  return counts
}

const table = (head: string, rows: ReadonlyMap<string, number>): string[] => [
  head,
  ...[...rows]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `  ${String(count).padStart(7)}  ${name}`),
]
