import { sql } from 'kysely'
import type { CatalogDb, CatalogTx } from '../tables.ts'

/** A listing's revenue from its own calls. */
export interface ListingVolume {
  readonly slug: string
  readonly calls: number
  readonly volumeUsd: string
  /** The calls that show no pattern of invented volume. */
  readonly survivingCalls: number
  readonly survivingVolumeUsd: string
}

/** The raw and the surviving volume of listings in whole UTC days, as added up so far; none for those without calls. */
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
