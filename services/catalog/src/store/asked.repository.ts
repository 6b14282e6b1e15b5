import { type SqlBool, sql } from 'kysely'
import type { CatalogTx } from './tables.ts'

/** What a version of a listing asks, with the three parts as JSON. */
export interface Asked {
  readonly slug: string
  readonly version: number
  readonly since: Date
  readonly prices: string
  readonly resources: string
  readonly offers: string | null
}

/** A row beside a version: the one that begins with it or before it, or the one that begins right after it. */
interface Beside {
  readonly first: number
  readonly last: number
  /** Whether it asked the same. */
  readonly isSame: boolean
}

/**
 * Records what a version of a listing asks. Its owner decides how many versions there are, and most change its texts
 * only: versions in a row that ask the same become one row, in whichever order they come. The caller locks the listing.
 * @returns whether it asks anything that was not known to be asked then
 */
export async function keepAsked(tx: CatalogTx, asked: Asked): Promise<boolean> {
  const { slug, version, since, prices, resources, offers } = asked
  const beside = await besideOf(tx, asked)
  const before = beside.find(({ first }) => first <= version)
  if (before && before.last >= version) return false
  const after = beside.find(({ first, isSame }) => first > version && isSame)
  const row = (first: number) => tx.updateTable('asked').where('slug', '=', slug).where('version', '=', first)
  if (before?.isSame && before.last === version - 1) {
    if (after) await tx.deleteFrom('asked').where('slug', '=', slug).where('version', '=', after.first).execute()
    await row(before.first)
      .set({ last_version: after?.last ?? version })
      .execute()
    return false
  }
  if (after) await row(after.first).set({ version, since, last_version: after.last }).execute()
  else await tx.insertInto('asked').values({ slug, version, since, prices, resources, offers }).execute()
  return true
}

async function besideOf(tx: CatalogTx, { slug, version, prices, resources, offers }: Asked): Promise<Beside[]> {
  const isSame = sql<SqlBool>`prices = ${prices}::jsonb and resources is not distinct from ${resources}::jsonb
    and offers is not distinct from ${offers}::jsonb`
  const { rows } = await sql<Beside>`
    select version as first, coalesce(last_version, version) as last, ${isSame} as "isSame"
    from asked where slug = ${slug} and version >= coalesce((
      select max(version) from asked before where before.slug = ${slug} and version <= ${version}), ${version + 1})
      and version <= ${version + 1}`.execute(tx)
  return rows
}
