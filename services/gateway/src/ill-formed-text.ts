/** RFC 8259 admits both in a JSON text; no Postgres text or JSON takes the first, and UTF-8 has no form of the second. */
const isIllFormed = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

/**
 * Where a value made of JSON holds a NUL or half a surrogate pair, as a dotted path; undefined where it does not. The name
 * of a member counts as its value.
 */
export function placeOfIllFormedText(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return isIllFormed(value) ? path.join('.') : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    if (isIllFormed(name)) return path.join('.') || 'body'
    const place = placeOfIllFormedText(member, [...path, name])
    if (place !== undefined) return place
  }
  return undefined
}
