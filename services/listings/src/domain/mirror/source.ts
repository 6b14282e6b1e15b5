import type { SourceKind } from '@callboard/contract'
import type { FollowedDocument } from './documents/read.ts'

/** What a facilitator is asked for; sent as query parameters, without relying on it to filter. */
export type SourceFilters = Readonly<Partial<Record<string, string>>>

/** The entries per page that are requested at first. A page that is too large is requested again with half as many. */
export const PAGE_LIMIT = 100
/** A run ends after this many documents, even if the source has more. */
export const MAX_PAGES = 1_000
const MAX_FOLLOWED = 200

/** An unfinished run over a source's documents. */
export interface SourceRun {
  readonly id: string
  /** Milliseconds. */
  readonly startedAt: number
  /** Where a facilitator's next page begins, and how many entries it may have. */
  readonly offset: number
  readonly limit: number
  /** Documents of a catalog that are yet to be read. */
  readonly follow: readonly FollowedDocument[]
  readonly pages: number
  /** Digests of the pages that were read, to recognize one that comes again. */
  readonly read: readonly string[]
  /** Entries that were not imported, by reason. */
  readonly notTaken: Readonly<Record<string, number>>
}

export const newRun = (id: string, startedAt: number): SourceRun => ({
  ...{ id, startedAt, offset: 0, limit: PAGE_LIMIT, follow: [] },
  ...{ pages: 0, read: [], notTaken: {} },
})

/** The document that a run reads next. */
export function nextDocument(
  source: { readonly kind: SourceKind; readonly url: string; readonly filters: SourceFilters },
  run: SourceRun,
): { readonly kind: SourceKind; readonly url: URL } {
  const [followed] = run.follow
  if (run.pages > 0 && followed) return { kind: followed.kind, url: new URL(followed.url) }
  const url = new URL(source.url)
  if (source.kind === 'facilitator') {
    for (const [name, value] of Object.entries(source.filters)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    url.searchParams.set('limit', String(run.limit))
    url.searchParams.set('offset', String(run.offset))
  }
  return { kind: source.kind, url }
}

/** The result of reading a page. */
export interface PageRead {
  readonly entries: number
  readonly total?: number | undefined
  readonly follow?: readonly FollowedDocument[] | undefined
  /** Identifies its entries: a page with other entries has another digest. */
  readonly digest: string
  readonly notTaken: Readonly<Partial<Record<string, number>>>
}

/**
 * A run after a page.
 * @returns `done` if the source was read to its end, `loops` if it repeats itself or never ends
 */
export function afterPage(kind: SourceKind, run: SourceRun, page: PageRead): SourceRun | 'done' | 'loops' {
  const notTaken = { ...run.notTaken }
  for (const [why, count] of Object.entries(page.notTaken)) notTaken[why] = (notTaken[why] ?? 0) + (count ?? 0)
  const isFollowing = run.pages > 0 && run.follow.length > 0
  // A catalog within a catalog is read; catalogs that it refers to are not.
  const further = isFollowing ? [] : (page.follow ?? [])
  const next: SourceRun = {
    ...run,
    offset: run.offset + (kind === 'facilitator' ? page.entries : 0),
    follow: [...(isFollowing ? run.follow.slice(1) : []), ...further, ...nestedDescriptions(isFollowing, page)].slice(
      0,
      MAX_FOLLOWED,
    ),
    pages: run.pages + 1,
    read: [...run.read, page.digest],
    notTaken,
  }
  const isOver = kind === 'facilitator' ? isLastPage(run, page) : next.follow.length === 0
  if (isOver) return 'done'
  const isRepeated = kind === 'facilitator' && run.read.includes(page.digest)
  return isRepeated || next.pages >= MAX_PAGES ? 'loops' : next
}

const nestedDescriptions = (isFollowing: boolean, page: PageRead): FollowedDocument[] =>
  isFollowing ? (page.follow ?? []).filter(({ kind }) => kind === 'openapi') : []

const isLastPage = (run: SourceRun, { entries, total }: PageRead): boolean =>
  entries === 0 || (total !== undefined && run.offset + entries >= total)

/** A run after a page that was too large: with half as many entries, or past a single entry that is too large. */
export const afterTooLarge = (run: SourceRun): SourceRun =>
  run.limit > 1
    ? { ...run, limit: Math.floor(run.limit / 2) }
    : {
        ...run,
        ...{ limit: PAGE_LIMIT, offset: run.offset + 1, pages: run.pages + 1 },
        notTaken: { ...run.notTaken, too_large: (run.notTaken.too_large ?? 0) + 1 },
      }
