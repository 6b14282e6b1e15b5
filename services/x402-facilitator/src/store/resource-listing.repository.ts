import type { ProbedResource, ProbeState } from '@callboard/contract'
import { type Selectable, sql } from 'kysely'
import type { ListingState } from '../domain/listing-verdict.ts'
import type { DiscoveredResourceTable, FacilitatorDb, FacilitatorTx } from './tables.ts'

export type DiscoveredResourceRow = Selectable<DiscoveredResourceTable>

export const lockResource = (tx: FacilitatorTx, url: string) =>
  tx
    .selectFrom('discovered_resource')
    .select(['url', 'asked_at', 'probe_id', 'is_listed', 'unlisted_because', 'failed_probes'])
    .where('url', '=', url)
    .forUpdate()
    .executeTakeFirst()

/** Stores a resource's own offer, replacing the previous one. */
export async function saveOffer(tx: FacilitatorTx, url: string, offer: ProbedResource, readAt: Date): Promise<void> {
  const { resource, type, x402Version, accepts, description, mimeType, serviceName, tags, iconUrl, extensions } = offer
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  const [named, about, path] = [
    [serviceName, ...(tags ?? [])].join(' '),
    description ?? '',
    resource.replace(/[^\p{L}\p{N}]+/gu, ' '),
  ]
  await sql`
    update discovered_resource set resource = ${resource}, type = ${type}, x402_version = ${x402Version},
      accepts = ${json(accepts)}::jsonb, description = ${description ?? null}, mime_type = ${mimeType ?? null},
      service_name = ${serviceName ?? null}, tags = ${json(tags)}::jsonb, icon_url = ${iconUrl ?? null},
      extensions = ${json(extensions)}::jsonb, offered_at = ${readAt},
      words = setweight(to_tsvector('english', ${named}::text), 'A') ||
        setweight(to_tsvector('english', ${about}::text), 'B') || setweight(to_tsvector('english', ${path}::text), 'C')
    where url = ${url}`.execute(tx)
}

/**
 * Whether a resource's offer can be paid on terms that were settled, whether its name is listed already, and whether its
 * site has as many other listed resources as one may have.
 */
export async function heldAgainstSettled(tx: FacilitatorTx, url: string, mostOfSite: number) {
  const { rows } = await sql<{ isSettled: boolean; isTaken: boolean; isFull: boolean }>`
    select exists (
        select from settled_terms terms where terms.url = seen.url and ${isOffered}) as "isSettled",
      exists (
        select from discovered_resource other
        where other.resource = seen.resource and other.is_listed and other.url <> seen.url) as "isTaken",
      (select count(*) from (
        select from discovered_resource other
        where other.is_listed and coalesce(other.site, other.origin) = coalesce(seen.site, seen.origin)
          and other.url <> seen.url limit ${mostOfSite}) listed) >= ${mostOfSite} as "isFull"
    from discovered_resource seen where url = ${url}`.execute(tx)
  return rows[0] ?? { isSettled: false, isTaken: false, isFull: false }
}

/** Whether the terms are those of a payable entry of the offer. */
const isOffered = sql`
  seen.accepts @> jsonb_build_array(jsonb_build_object(
    'network', terms.network, 'asset', terms.asset, 'payTo', terms.pay_to, 'payable', true))`

/** Forgets terms, settled before a probe was requested, on which the offer that it read cannot be paid. */
export async function forgetTerms(tx: FacilitatorTx, url: string, settledBefore: Date): Promise<void> {
  await sql`
    delete from settled_terms terms using discovered_resource seen
    where terms.url = ${url} and seen.url = ${url} and terms.last_settled_at <= ${settledBefore}
      and not ${isOffered}`.execute(tx)
}

/** Stores a resource's listing. When it was first listed is written once, and orders every list. */
export async function saveListing(
  tx: FacilitatorTx,
  url: string,
  { isListed, unlistedBecause, failedProbes }: ListingState,
  { now, dueAt }: { readonly now: Date; readonly dueAt: Date | null },
): Promise<void> {
  await sql`
    update discovered_resource set is_listed = ${isListed}, unlisted_because = ${unlistedBecause},
      failed_probes = ${failedProbes}, due_at = ${dueAt},
      first_listed_at = case when ${isListed} then coalesce(first_listed_at, ${now}) else first_listed_at end
    where url = ${url}`.execute(tx)
}

export const saveProbe = (tx: FacilitatorTx, url: string, state: ProbeState, probedAt: Date) =>
  tx.updateTable('discovered_resource').set({ state, probed_at: probedAt }).where('url', '=', url).execute()

/** Until when what is kept of resources was last needed. */
export interface Kept {
  readonly settledBefore: Date
  readonly forgottenBefore: Date
  readonly readBefore: Date
}

/**
 * Ends listings that were not paid for since a moment, and deletes unlisted resources that are older still. Offers of
 * unlisted ones are forgotten: they are read again before one is listed.
 */
export async function sweepResources(
  db: FacilitatorDb,
  { settledBefore, forgottenBefore, readBefore }: Kept,
): Promise<void> {
  await sql`
    delete from discovered_resource where not is_listed and last_settled_at < ${forgottenBefore}`.execute(db)
  await sql`
    update discovered_resource set is_listed = false, unlisted_because = 'not_settled', due_at = null
    where is_listed and last_settled_at < ${settledBefore}`.execute(db)
  await sql`
    update discovered_resource set resource = null, type = null, x402_version = null, accepts = null,
      description = null, mime_type = null, service_name = null, tags = null, icon_url = null, extensions = null,
      words = null, offered_at = null
    where not is_listed and offered_at < ${readBefore}`.execute(db)
}

export interface DiscoveryBacklog {
  readonly listed: number
  readonly unlisted: number
  readonly unprobed: number
  /** How overdue the longest-waiting resource is. */
  readonly oldestSeconds: number
}

/** Counts resources by state. */
export async function discoveryBacklog(db: FacilitatorDb, now: Date): Promise<DiscoveryBacklog> {
  const { rows } = await sql<DiscoveryBacklog>`
    select count(*) filter (where is_listed) as listed,
      count(*) filter (where not is_listed and probed_at is not null) as unlisted,
      count(*) filter (where not is_listed and probed_at is null) as unprobed,
      coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(due_at))), 0)::float8 as "oldestSeconds"
    from discovered_resource`.execute(db)
  return rows[0] ?? { listed: 0, unlisted: 0, unprobed: 0, oldestSeconds: 0 }
}
