import type { ListingSnapshot } from '@callboard/contract'

/** No longer text is indexed; what comes after is not found. */
const MAX_INDEXED = 20_000

/** The text in which a query finds a listing: name, description, hosts, endpoint names and URLs. */
export function searchText({
  name,
  description,
  operations,
}: Pick<ListingSnapshot, 'name' | 'description'> & {
  readonly operations: readonly { readonly name: string; readonly url: string }[]
}): string {
  const hosts = new Set(operations.flatMap(({ url }) => URL.parse(url)?.hostname.replaceAll('.', ' ') ?? []))
  const endpoints = operations.map((operation) => `${operation.name} ${operation.url}`)
  return [name, ...hosts, ...endpoints, description].join('\n').slice(0, MAX_INDEXED)
}
