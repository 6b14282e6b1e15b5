import { createRequire } from 'node:module'
import { join } from 'node:path'
import { searchText } from '../../../services/catalog/src/domain/search-text.ts'
import { installedPeer } from '../installed-peer.ts'
import { JUDGED, type Search } from './judging.ts'
import type { JudgedListing } from './listings.ts'
import { snapshotOf } from './snapshots.ts'

export const MINISEARCH_VERSION = '7.2.0'

interface Document {
  readonly id: string
  readonly name: string
  readonly text: string
}
interface MiniSearchLike {
  addAll(documents: readonly Document[]): void
  search(q: string): readonly { readonly id: string }[]
}
type MiniSearchClass = new (options: { fields: readonly string[] }) => MiniSearchLike

/** MiniSearch with its defaults, over the same two texts of listings that may be shown. Filters apply to results. */
export function miniSearch(listings: readonly JudgedListing[]): Search {
  const require = createRequire(join(installedPeer('minisearch'), 'package.json'))
  const loaded = require('minisearch') as MiniSearchClass | { readonly default: MiniSearchClass }
  const index = new (typeof loaded === 'function' ? loaded : loaded.default)({ fields: ['name', 'text'] })
  const visible = listings.filter(({ facts }) => facts.isVisible)
  index.addAll(
    visible.map(({ facts, record }) => {
      const snapshot = snapshotOf(record)
      return { id: facts.slug, name: snapshot.name, text: searchText(snapshot) }
    }),
  )
  const bySlug = new Map(visible.map(({ facts }) => [facts.slug, facts]))
  return ({ q, filters }) =>
    index
      .search(q)
      .flatMap(({ id }) => bySlug.get(id) ?? [])
      .filter(({ category }) => filters?.category === undefined || category === filters.category)
      .filter(({ price }) => filters?.maxPrice === undefined || price <= Number(filters.maxPrice))
      .slice(0, JUDGED)
      .map(({ slug }) => slug)
}
