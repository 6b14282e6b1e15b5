import { type catalog, type DirectoryResult, ItemKind, type ShownIn } from '@callboard/contract'
import { plainQuery } from '@callboard/search-index'
import type { CatalogHandler } from '../context.ts'
import type { Directory } from '../directory/directory.ts'
import { discoverable, everything, offered, type Visibility } from '../domain/visibility.ts'
import { findVersion } from '../store/entry/entry.repository.ts'

/** The last place that is looked for: a row costs about a microsecond. */
const MOST = 10_000

const SHOWS: Readonly<Record<DirectoryResult, Visibility>> = {
  discovery: discoverable(false),
  'discovery?includeUnverified=true': discoverable(true),
  services: offered(false),
  'services?includeUnverified=true': offered(true),
  calls: everything,
}

export const places: CatalogHandler<typeof catalog.places> = async ({ slug, ...asked }, { db, resources, clock }) => {
  const version = await findVersion(db, slug)
  const q = plainQuery(asked.q)
  const shownBy = (query: string) => shownIn(resources.directory, slug, { q: query, nowMs: clock.now() })
  return { version: version ?? null, browsed: shownBy(''), found: q === '' ? null : shownBy(q) }
}

function shownIn(
  directory: Directory,
  slug: string,
  question: { readonly q: string; readonly nowMs: number },
): ShownIn[] {
  return (Object.keys(SHOWS) as DirectoryResult[]).map((result) => {
    const kinds = result.startsWith('discovery') ? ItemKind.options : undefined
    const asked = { ...question, visibility: SHOWS[result], ...(kinds ? { kinds } : {}) }
    const { place, isLonger } = directory.placeOf(slug, asked, MOST)
    return { result, place: place ?? null, isLonger }
  })
}
