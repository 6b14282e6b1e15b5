import { isDeepStrictEqual } from 'node:util'
import type { EndpointSample, HttpMethod } from '@callboard/contract'
import { type Selectable, sql } from 'kysely'
import { lockAndBringForward } from './origin.repository.ts'
import type { ProberTx, TargetTable } from './tables.ts'
import type { TargetKey } from './target.repository.ts'

export interface WatchedEndpoint {
  readonly method: HttpMethod
  readonly url: string
  readonly inputSchema?: Record<string, unknown> | undefined
  readonly sample?: EndpointSample | undefined
}

/** A listing and its watched endpoints. */
export interface WatchedListing {
  readonly slug: string
  /** Whether it was listed by a third party, not its provider. */
  readonly mirrored: boolean
  readonly endpoints: readonly WatchedEndpoint[]
  /** Whether it was not watched in between: its endpoints then count as new. */
  readonly anew: boolean
}

/**
 * Records versions of distinct listings, locked in one order until the commit.
 * @returns the slugs for which this version or a newer one was not yet recorded
 */
export async function noteVersions(
  tx: ProberTx,
  listings: readonly { readonly slug: string; readonly version: number }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`
    insert into listing (slug, version)
    select slug, version from unnest(
      ${listings.map(({ slug }) => slug)}::text[], ${listings.map(({ version }) => version)}::bigint[]) as told (slug, version)
    order by slug
    on conflict (slug) do update set version = excluded.version where listing.version < excluded.version
    returning slug`.execute(tx)
  return new Set(rows.map(({ slug }) => slug))
}

/**
 * Watches exactly these endpoints of recorded listings. New ones, and those to watch anew, are due at once; the others
 * keep their schedule, and unchanged ones write nothing. The origins of everything written are locked first, in one
 * order, as a visit locks its own, so that no deadlock is possible.
 */
export async function watchListings(tx: ProberTx, listings: readonly WatchedListing[], now: Date): Promise<void> {
  if (listings.length === 0) return
  const held = new Map((await targetsOfAll(tx, listings)).map((target) => [keyOf(target), target]))
  const wanted = listings.flatMap(({ slug, mirrored, endpoints }) =>
    endpoints.map((endpoint) => ({ slug, mirrored, ...endpoint })),
  )
  const anew = new Set(listings.filter((listing) => listing.anew).map(({ slug }) => slug))
  const kept = new Set(wanted.filter(({ slug }) => !anew.has(slug)).map(keyOf))
  const left = [...held.values()].filter((target) => !kept.has(keyOf(target)))
  const fresh = wanted.filter((one) => anew.has(one.slug) || !held.has(keyOf(one)))
  const changed = wanted.filter((one) => {
    const target = held.get(keyOf(one))
    return target && kept.has(keyOf(one)) && !isAsHeld(one, target)
  })
  const written = [...fresh, ...changed]
  if (written.length + left.length === 0) return
  await lockAndBringForward(tx, { origins: originsOf([...written, ...left]), due: originsOf(fresh), at: now })
  if (left.length > 0) await removeTargets(tx, left)
  if (written.length > 0) await putTargets(tx, written, now)
}

type Wanted = WatchedEndpoint & { readonly slug: string; readonly mirrored: boolean }

const keyOf = ({ slug, method, url }: TargetKey): string => `${slug} ${method} ${url}`

const originsOf = (endpoints: readonly { readonly url: string }[]): string[] => [
  ...new Set(endpoints.map(({ url }) => new URL(url).origin)),
]

const isAsHeld = ({ inputSchema, sample, mirrored }: Wanted, target: Selectable<TargetTable>): boolean =>
  mirrored === target.mirrored &&
  isDeepStrictEqual(inputSchema ?? null, target.input_schema) &&
  isDeepStrictEqual(sample ?? null, target.sample)

const targetsOfAll = (tx: ProberTx, listings: readonly WatchedListing[]) =>
  tx
    .selectFrom('target')
    .selectAll()
    .where('slug', '=', sql<string>`any(${listings.map(({ slug }) => slug)}::text[])`)
    .execute()

const removeTargets = (tx: ProberTx, targets: readonly TargetKey[]) =>
  sql`
    delete from target using unnest(
      ${targets.map(({ slug }) => slug)}::text[], ${targets.map(({ method }) => method)}::text[],
      ${targets.map(({ url }) => url)}::text[]) as gone (slug, method, url)
    where target.slug = gone.slug and target.method = gone.method and target.url = gone.url`.execute(tx)

const putTargets = (tx: ProberTx, targets: readonly Wanted[], now: Date) =>
  tx
    .insertInto('target')
    .values(
      // A listing may name one endpoint twice; the last entry counts.
      [...new Map(targets.map((target) => [keyOf(target), target])).values()].map(
        ({ slug, mirrored, method, url, inputSchema, sample }) => ({
          ...{ slug, method, url, mirrored, origin: new URL(url).origin },
          input_schema: inputSchema ? JSON.stringify(inputSchema) : null,
          sample: sample ? JSON.stringify(sample) : null,
          ...{ next_due_at: now, last_checked_at: null, state: null, consecutive_down: 0, described_digest: null },
        }),
      ),
    )
    .onConflict((conflict) =>
      conflict.columns(['slug', 'method', 'url']).doUpdateSet(({ ref }) => ({
        input_schema: ref('excluded.input_schema'),
        sample: ref('excluded.sample'),
        mirrored: ref('excluded.mirrored'),
      })),
    )
    .execute()
