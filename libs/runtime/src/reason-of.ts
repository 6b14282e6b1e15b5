/**
 * Returns the reason of an error, in one line that is never empty. An error has no message of its own if several
 * addresses of one host were tried: then it has those of its parts.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error) || 'unknown'
  if (error.message) return error.message
  const parts = error instanceof AggregateError ? error.errors.map(reasonOf) : []
  return parts.join(', ') || error.name
}
