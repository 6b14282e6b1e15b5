import { isDeepStrictEqual } from 'node:util'
import { listingChanged, resourceOf } from '@callboard/contract'
import { lookAlikeKey } from '@callboard/values'
import { siteOf } from '@callboard/values/site'
import type { ListingsContext } from '../context.ts'
import { placeOf } from '../domain/mirror/claim.ts'
import { type NotTaken, withinLimits } from '../domain/mirror/limits.ts'
import { mirrorSnapshot } from '../domain/mirror/mirror-view.ts'
import type { ClaimedResource, MirrorClaim, Mirrored } from '../domain/mirror/mirrored.ts'
import { resourceKey } from '../domain/mirror/resource.ts'
import { judgedResources } from '../store/listing.repository.ts'
import {
  countMirrored,
  countOnSites,
  insertMirrored,
  listedOn,
  lockMirror,
  lockResources,
  verifiedNameKeys,
} from '../store/mirror.repository.ts'
import { countPlaces, noteSightings } from '../store/sighting.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { changeMirrored, firstVersion } from './change-mirrored.ts'
import { freeMirrorSlugs } from './free-slug.ts'

type Importing = Pick<ListingsContext, 'clock' | 'publish' | 'publishAll' | 'config'>

/** The result of a batch: how many resources the source now names, and how many were not imported, by reason. */
export interface ImportedResources {
  readonly named: number
  readonly added: number
  readonly notTaken: Readonly<Partial<Record<NotTaken, number>>>
}

/**
 * Imports what a source names, one batch of its page. A known resource gains a source, and keeps the texts of the
 * source that named it first; a new one gets a row, within the limits of its site, its source and the total. Our own
 * hosts are never mirrored, nor is anything that its provider listed, even if the operator took that listing down.
 */
export async function importResources(
  ctx: Importing,
  tx: ListingsTx,
  source: string,
  claims: readonly ClaimedResource[],
): Promise<ImportedResources> {
  if (claims.length === 0) return { named: 0, added: 0, notTaken: {} }
  await lockMirror(tx)
  const distinct = await withoutNamesakes(tx, [...new Map(claims.map((claim) => [resourceKey(claim), claim])).values()])
  const known = new Map((await lockResources(tx, distinct)).map((row) => [resourceKey(row), row]))
  const listed = new Set((await listedOn(tx, [...sitesIn(distinct)])).map(({ url }) => resourceOf(url)))
  const rejected = await judgedResources(
    tx,
    distinct.map(({ url }) => resourceOf(url)),
  )
  const isOurs = ourHosts(ctx.config.BASE_URL)

  const fresh = distinct.filter((claim) => !known.has(resourceKey(claim)))
  const { MIRROR_PER_SITE: perSite, MIRROR_PER_SOURCE: perSource, MIRROR_MAX_ROWS: inAll } = ctx.config
  const { taken, notTaken } = withinLimits(
    fresh.map((claim) => ({
      claim,
      site: siteOf(claim.url),
      isOurs: isOurs(claim.url),
      isListed: listed.has(resourceOf(claim.url)),
      isRejected: rejected.has(resourceOf(claim.url)),
    })),
    { perSite, perSource, inAll },
    {
      onSites: await countOnSites(tx, [...sitesIn(fresh)]),
      ofSource: await countPlaces(tx, source),
      inAll: await countMirrored(tx),
    },
  )
  const slugs = await freeMirrorSlugs(tx, taken)
  const rows = taken.map((claim, at) => newRow(ctx, source, claim, slugs[at] as string))
  if (rows.length > 0) {
    await insertMirrored(tx, rows)
    await ctx.publishAll(tx, listingChanged, rows.map(mirrorSnapshot))
  }
  for (const claim of distinct) {
    const row = known.get(resourceKey(claim))
    const next = row && namedBy(row, source, claim)
    if (row && !isDeepStrictEqual(row, next)) await changeMirrored(ctx, tx, row, next ?? row)
  }
  const named = [...known.values(), ...rows].map(({ slug }) => slug)
  if (named.length > 0) await noteSightings(tx, source, named, new Date(ctx.clock.now()))
  return { named: named.length, added: rows.length, notTaken }
}

/** A resource with a name like a verified listing's is named after its location instead. */
async function withoutNamesakes(tx: ListingsTx, claims: readonly ClaimedResource[]): Promise<ClaimedResource[]> {
  const keys = claims.map(({ title }) => lookAlikeKey(title))
  const verified = await verifiedNameKeys(tx, keys)
  return claims.map((claim, at) => (verified.has(keys[at] ?? '') ? { ...claim, title: placeOf(claim.url) } : claim))
}

const sitesIn = (claims: readonly ClaimedResource[]): Set<string> => new Set(claims.map(({ url }) => siteOf(url)))

/** Whether a URL is on our own public host: we list what we sell ourselves. */
function ourHosts(baseUrl: string): (url: string) => boolean {
  const { host } = new URL(baseUrl)
  return (url) => new URL(url).host === host
}

function newRow(ctx: Importing, source: string, claimed: ClaimedResource, slug: string): Mirrored {
  const now = ctx.clock.now()
  return {
    slug,
    version: firstVersion(now),
    method: claimed.method,
    url: claimed.url,
    claim: claimOf(claimed),
    claimSource: source,
    fact: null,
    terms: null,
    state: 'unprobed',
    stateSince: now,
    reason: null,
    okAt: null,
    owner: null,
    ownedSince: null,
    createdAt: now,
    updatedAt: now,
    unnamedSince: null,
  }
}

const claimOf = ({ method: _, url: __, ...claim }: ClaimedResource): MirrorClaim => claim

/** A row's texts are from one source, as long as that one names it, or no other does. */
function namedBy(row: Mirrored, source: string, claimed: ClaimedResource): Mirrored {
  const isItsWord = row.unnamedSince !== null || row.claimSource === null || row.claimSource === source
  return {
    ...row,
    unnamedSince: null,
    ...(isItsWord ? { claim: claimOf(claimed), claimSource: source } : {}),
  }
}
