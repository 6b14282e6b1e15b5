import type { Table } from '../figure.ts'
import { AT_ONCE, type Counts, type Work } from './counting.ts'
import { COUNTED, type Counted, countOf } from './ledger.ts'

interface Column {
  readonly title: string
  readonly work: Work
  /** What its counts are divided by: payments, or seconds. */
  readonly per: number
}

/** For these the tables show who did them. */
const SHOWN_BY: readonly Counted[] = ['transactions', 'JSON-RPC calls', 'writes to sockets']

/** The counts as tables: what a single payment causes and when, and the totals for each of many. */
export function tablesOf({ idle, paced, inRow, atOnce }: Counts): Table[] {
  const rest = { title: 'idle, a second', work: idle, per: idle.ms / 1_000 }
  const { payments: per, verify, settle, after } = paced
  return [
    table(`One payment a second (${per})`, [
      { title: 'until verify answers', work: verify, per },
      { title: 'until settle answers', work: settle, per },
      { title: 'rest of the second', work: after, per },
      rest,
    ]),
    table('A payment, everything that is done meanwhile', [
      { title: `one after the other (${inRow.payments})`, work: inRow.work, per: inRow.payments },
      { title: `${AT_ONCE} at once (${atOnce.payments})`, work: atOnce.work, per: atOnce.payments },
      rest,
    ]),
  ]
}

function table(title: string, columns: readonly Column[]): Table {
  const counted = columns.map(({ work, per }) => ({ ...countOf(work.entries), per }))
  const rows = COUNTED.flatMap((what) => {
    const total = counted.map(({ total, per }) => (total.get(what) ?? 0) / per)
    if (!SHOWN_BY.includes(what)) return [[what, ...total] as const]
    const who = new Set(counted.flatMap(({ by }) => [...(by.get(what)?.keys() ?? [])]))
    const each = [...who].sort().map((one) => {
      const shares = counted.map(({ by, per }) => (by.get(what)?.get(one) ?? 0) / per)
      return [`– ${one}`, ...shares] as const
    })
    return [[what, ...total] as const, ...each]
  })
  const seconds = columns.map(({ work, per }) => work.ms / 1_000 / per)
  return {
    title,
    columns: columns.map((column) => column.title),
    rows: [...rows, ['seconds counted', ...seconds]],
  }
}
