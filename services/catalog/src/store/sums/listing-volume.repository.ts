import { sql } from 'kysely'
import type { CatalogDb, CatalogTx } from '../tables.ts'

/** What a listing earned with calls of its own. */
export interface ListingVolume {
  readonly slug: string
  readonly calls: number
  readonly volumeUsd: string
  /** Those that show no pattern of invented volume. */
  readonly survivingCalls: number
  readonly survivingVolumeUsd: string
}

/** The raw and the surviving volume of listings in whole UTC days, as far as it is added up; those without calls are absent. */
export async function volumesOf(
  db: CatalogDb | CatalogTx,
  slugs: readonly string[],
  since: Date,
): Promise<ListingVolume[]> {
  const { rows } = await sql<ListingVolume>`
    select slug, sum(calls)::bigint as calls, trim_scale(sum(volume))::text as "volumeUsd",
           sum(calls - invented)::bigint as "survivingCalls",
           trim_scale(sum(volume - invented_volume))::text as "survivingVolumeUsd"
    from listing_day where slug = any(${slugs}) and day >= ${since}
    group by slug having sum(calls) > 0 order by slug`.execute(db)
  return rows
}
