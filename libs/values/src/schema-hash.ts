import { createHash } from 'node:crypto'

/** Identifies a JSON schema regardless of the order of its members: `sha256:` and 64 hex digits. */
export const schemaHash = (schema: Record<string, unknown>): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify(inOrder(schema)))
    .digest('hex')}`

/** The same value regardless of the order of its members. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, inOrder(member)]),
  )
}
