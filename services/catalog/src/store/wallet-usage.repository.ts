import type { WalletUsage } from '@callboard/contract'
import { DAY_MS, isoTime } from '@callboard/values'
import { sql } from 'kysely'
import { SHOWN } from './ledger/ledger-reads.ts'
import type { CatalogDb } from './tables.ts'

type Usage = Omit<WalletUsage, 'wallet' | 'generatedAt'>
type Row = Omit<Usage, 'firstCallAt' | 'lastCallAt'> & { first: Date | null; last: Date | null }

/** A wallet's calls and spending, in total and recently; transfers to sellers that are not calls are separate. */
export async function usageOf(db: CatalogDb, wallet: string, nowMs: number): Promise<Usage> {
  const since = (days: number) => new Date(nowMs - days * DAY_MS)
  const spent = (condition: ReturnType<typeof sql>) => sql`
    json_build_object('calls', count(*) filter (where ${condition}),
      'spentUsd', trim_scale(coalesce(sum(amount_usd) filter (where ${condition}), 0))::text)`
  const lately = (days: number) => spent(sql`kind = 'call' and observed_at >= ${since(days)}`)
  const { rows } = await sql<Row>`
    select ${spent(sql`kind = 'call'`)} as total, ${lately(1)} as last24h, ${lately(7)} as last7d, ${lately(30)} as last30d,
           count(distinct slug) filter (where kind = 'call') as listings,
           min(observed_at) filter (where kind = 'call') as first, max(observed_at) filter (where kind = 'call') as last,
           json_build_object('count', count(*) filter (where kind <> 'call'),
             'volumeUsd', trim_scale(coalesce(sum(amount_usd) filter (where kind <> 'call'), 0))::text) as transfers
    from settlement where ${SHOWN} and payer = ${wallet}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('What a wallet used is one row')
  const { first, last, ...usage } = row
  const time = (at: Date | null) => (at ? isoTime(at.getTime()) : null)
  return { ...usage, firstCallAt: time(first), lastCallAt: time(last) }
}
