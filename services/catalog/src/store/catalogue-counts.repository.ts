import type { Stats } from '@callboard/contract'
import { GROUPS } from '../domain/ranking.ts'
import type { CatalogDb } from './tables.ts'

/** The counts of what is currently published. */
export async function catalogueCounts(db: CatalogDb): Promise<Stats['catalogue']> {
  const rows = await db
    .selectFrom('listing')
    .select(({ fn }) => [
      'group_rank',
      fn.countAll<number>().as('listings'),
      fn.countAll<number>().filterWhere('verification', '=', 'verified').as('verified'),
      fn.sum<number>('endpoints').as('endpoints'),
    ])
    .where('published', '=', true)
    .groupBy('group_rank')
    .execute()
  const sum = (column: 'listings' | 'verified' | 'endpoints') => rows.reduce((total, row) => total + row[column], 0)
  const count = (rank: number) => rows.find((row) => row.group_rank === rank)?.listings ?? 0
  const [svc, added, partner, external] = GROUPS.map((_, rank) => count(rank))
  return {
    listings: sum('listings'),
    verified: sum('verified'),
    endpoints: sum('endpoints'),
    byGroup: { svc: svc ?? 0, added: added ?? 0, partner: partner ?? 0, external: external ?? 0 },
  }
}
