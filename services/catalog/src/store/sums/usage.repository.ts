import { sql } from 'kysely'
import type { Usage } from '../../domain/usage.ts'
import type { CatalogTx } from '../tables.ts'

/** Marks the listings whose first days no longer count for renewal. The caller holds the lock on the sums. */
export async function countSince(tx: CatalogTx, since: Date): Promise<void> {
  const { rows } = await sql<{ day: Date }>`select day from usage_since`.execute(tx)
  const before = rows[0]?.day
  if (before && before >= since) return
  await sql`
    insert into usage_since (day) values (${since}) on conflict (id) do update set day = excluded.day`.execute(tx)
  if (before)
    await sql`
      insert into usage_doubt select distinct slug from listing_day where day >= ${before} and day < ${since}
      order by slug on conflict do nothing`.execute(tx)
}

/** Takes the next listings whose usage may have changed. The caller holds the lock on the sums. */
export async function takeDoubtedUsage(tx: CatalogTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    delete from usage_doubt where slug = any(array(select slug from usage_doubt order by slug limit ${limit}))
    returning slug`.execute(tx)
  return rows.map(({ slug }) => slug)
}

/** Writes the usage of some listings if it changed; deletes it for those without a new one. */
export async function keepUsage(
  tx: CatalogTx,
  slugs: readonly string[],
  usages: readonly (Usage & { readonly slug: string })[],
): Promise<void> {
  const used = usages.filter(({ calls, volumeRank }) => calls > 0 || volumeRank > 0)
  const kept = used.map(({ slug }) => slug)
  const gone = slugs.filter((slug) => !kept.includes(slug))
  if (gone.length > 0) await sql`delete from listing_usage where slug = any(${gone})`.execute(tx)
  if (used.length > 0)
    await sql`
      insert into listing_usage as known (slug, calls, volume_rank)
      select slug, calls, "volumeRank"
      from json_to_recordset(${JSON.stringify(used)}::json) as one (slug text, calls bigint, "volumeRank" smallint)
      order by slug
      on conflict (slug) do update set calls = excluded.calls, volume_rank = excluded.volume_rank
        where (known.calls, known.volume_rank) <> (excluded.calls, excluded.volume_rank)`.execute(tx)
}
