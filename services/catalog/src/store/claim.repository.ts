import { type PayeeClaim, PRICE_GRACE_MS } from '@callboard/contract'
import { type SqlBool, sql } from 'kysely'
import { groupAt } from '../domain/ranking.ts'
import { type Payee, payeeName } from './locks.ts'
import type { CatalogTx, PayeeClaimTable } from './tables.ts'

/**
 * Records where a listing asks to be paid; of several claims of one address, the earliest counts.
 * @returns whether any of them was new
 */
export async function claimPayees(tx: CatalogTx, claims: readonly PayeeClaimTable[]): Promise<boolean> {
  if (claims.length === 0) return false
  const rows = await tx
    .insertInto('payee_claim')
    .values([...claims])
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'address', 'slug'])
        .doUpdateSet({ since: sql<Date>`excluded.since` })
        .where(sql<boolean>`excluded.since < payee_claim.since`),
    )
    .returning('slug')
    .execute()
  return rows.length > 0
}

/** A listing's claim, and from when on it can decide about a settlement. */
interface OwnClaim extends Payee {
  /**
   * A time on the chain; any if absent. Settlements from before a listing asked anything go to one that claimed the
   * payee earlier, still exists, and is of no worse group, if there is one (`creditOf`): so a listing that names the
   * payee of a busy seller does not make us search its past. Until its group became worse, they may have been its own.
   */
  readonly movesFrom: Date | undefined
}

/** Everything that a listing ever claimed. */
export async function ownClaims(tx: CatalogTx, slug: string): Promise<readonly OwnClaim[]> {
  const { rows } = await sql<Payee & { first: Date; isBehind: boolean }>`
    select own.network, own.address, least(own.since, (select min(since) from asked where slug = own.slug)) as first,
           (select true from payee_claim as other join listing on listing.slug = other.slug
             where other.network = own.network and other.address = own.address and other.slug <> own.slug
               and other.since < own.since and not listing.removed and listing.group_rank <= mine.group_rank
             limit 1) is not null as "isBehind"
    from payee_claim as own join listing as mine on mine.slug = own.slug
    where own.slug = ${slug}`.execute(tx)
  return rows.map(({ network, address, first, isBehind }) => ({
    network,
    address,
    movesFrom: isBehind ? new Date(first.getTime() - PRICE_GRACE_MS) : undefined,
  }))
}

/**
 * A payee's settlements are attributed by at most this many listings: a mirrored resource names any payee it likes, and
 * every payment reads all claimants.
 */
const MOST_CLAIMANTS = 1_000

/**
 * The claimants of payees, by `payeeName`, without what each asked. Of too many those of the better group count, then
 * those that still exist, then those that claimed it first.
 */
export async function claimantsOf(tx: CatalogTx, payees: readonly Payee[]): Promise<Claimants> {
  const { rows } = await sql<Claimant & Payee>`
    select wanted.network, wanted.address, one.*
    from (
      select distinct network, address from unnest(
        ${payees.map(({ network }) => network)}::text[], ${payees.map(({ address }) => address)}::text[])
      as given (network, address)) wanted
    cross join lateral (
      select claim.slug, claim.since, listing.removed, listing.group_rank, removal.version as removed_version,
             removal.removed_at
      from payee_claim as claim join listing on listing.slug = claim.slug
        left join listing_removal as removal on removal.slug = claim.slug
      where claim.network = wanted.network and claim.address = wanted.address
      order by listing.group_rank, listing.removed, claim.since, claim.slug limit ${MOST_CLAIMANTS}) one`.execute(tx)
  return Map.groupBy(rows, payeeName)
}

type Claimants = ReadonlyMap<string, readonly Claimant[]>

interface Claimant {
  readonly slug: string
  readonly since: Date
  readonly removed: boolean
  readonly group_rank: number
  readonly removed_version: number | null
  readonly removed_at: Date | null
}

/** Times on the chain, in milliseconds. */
export interface Span {
  readonly from: number
  /** Without an end if absent. */
  readonly to?: number
}

/**
 * What claimants of payees asked, by `payeeName`.
 * @param span of the settlements: only what can have been asked within it is read, which is all that the rule needs
 */
export async function claimsOf(
  tx: CatalogTx,
  claimants: Claimants,
  span?: Span,
): Promise<ReadonlyMap<string, PayeeClaim[]>> {
  const slugs = [...new Set([...claimants.values()].flat().map(({ slug }) => slug))]
  const asked = slugs.length === 0 ? [] : await askedBy(tx, slugs, span)
  const bySlug = Map.groupBy(asked, ({ slug }) => slug)
  const claimOf = ({ slug, since, removed, group_rank, removed_version, removed_at }: Claimant): PayeeClaim => ({
    slug,
    removed,
    group: groupAt(group_rank),
    since: since.getTime(),
    asked: [
      // From its removal on it asks nothing; first, since it comes after the snapshot of the same version.
      ...(removed_at ? [{ version: removed_version ?? 0, since: removed_at.getTime(), prices: [] }] : []),
      ...(bySlug.get(slug) ?? []).map((row) => ({ ...row, since: row.since.getTime() })),
    ],
  })
  return new Map([...claimants].map(([payee, all]) => [payee, all.map(claimOf)]))
}

function askedBy(tx: CatalogTx, slugs: readonly string[], span: Span | undefined) {
  const isBefore = span?.to === undefined ? sql`true` : sql`since <= ${new Date(span.to + PRICE_GRACE_MS)}`
  const isAround = span
    ? sql<SqlBool>`${isBefore} and version >= coalesce((
        select max(version) from asked before
        where before.slug = asked.slug and since < ${new Date(span.from - PRICE_GRACE_MS)}), 0)`
    : sql<SqlBool>`true`
  return tx
    .selectFrom('asked')
    .select(['slug', 'version', 'since', 'prices', 'resources'])
    .where(sql<SqlBool>`slug = any(${slugs})`)
    .where(isAround)
    .execute()
}
