/** One entity tag of a list (RFC 9110 §8.8.3). A tag may contain a comma, so the list is not split at commas. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * Whether a client already has the representation: its `If-None-Match` lists the tag, compared weakly, or is `*`.
 * @source RFC 9110 §13.1.2
 */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return [...header.matchAll(ENTITY_TAG)].some(([, tag]) => tag === etag)
}
