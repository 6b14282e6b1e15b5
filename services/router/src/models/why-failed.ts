import { NoKeyError } from './upstream-keys.ts'

/** What a log line says of an error. */
type Said = { readonly reason: string } | { readonly err: unknown }

/** Our own programming errors carry codes, too. */
const isOurs = (error: Error & { readonly code: string }): boolean =>
  error instanceof TypeError || error instanceof RangeError || error.code.startsWith('UND_ERR_INVALID')

const hasCode = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/**
 * Why a provider gave no answer, for the log: one line if the network, its timeouts or the key file caused it, which is
 * not our fault and recurs with every call; otherwise the whole error with its stack, as it may be our bug.
 */
export function whyFailed(error: unknown): Said {
  if (error instanceof NoKeyError) return { reason: error.message }
  // For a name with several addresses, all of which failed.
  const [first] = error instanceof AggregateError ? error.errors : [error]
  if (first instanceof DOMException) return { reason: first.message }
  if (!hasCode(first) || isOurs(first)) return { err: error }
  return { reason: first.message.includes(first.code) ? first.message : `${first.code}: ${first.message}` }
}
