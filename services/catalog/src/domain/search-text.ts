import type { ListingSnapshot } from '@callboard/contract'

/** Longer text is cut: what follows is not indexed. */
const MAX_INDEXED = 20_000
const SCHEME = /^https?:\/\//i

type Searched = Pick<ListingSnapshot, 'description' | 'category'> & {
  readonly operations: readonly Readonly<Record<'name' | 'url' | 'description', string>>[]
}

/** The text besides the name in which a query finds a listing: category, description, endpoints with hosts. */
export function searchText({ description, category, operations }: Searched): string {
  const endpoints = operations.map((one) => `${one.name}\n${one.url.replace(SCHEME, '')}\n${one.description}`)
  return [category, description, ...endpoints].join('\n').slice(0, MAX_INDEXED)
}
