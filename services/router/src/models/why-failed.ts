import { NoKeyError } from './upstream-keys.ts'

/** What a log says of an error. */
type Said = { readonly reason: string } | { readonly err: unknown }

/** Mistakes of our own come with codes, too. */
const isOurs = (error: Error & { readonly code: string }): boolean =>
  error instanceof TypeError || error instanceof RangeError || error.code.startsWith('UND_ERR_INVALID')

const hasCode = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/**
 * Why a provider was not heard, for the log: in a line where the network, its timers or the key file say so, which is
 * nothing of ours and comes once a call while it lasts; whole, with its stack, where it can be a mistake of ours.
 */
export function whyFailed(error: unknown): Said {
  if (error instanceof NoKeyError) return { reason: error.message }
  // Of a name with several addresses, each failed.
  const [first] = error instanceof AggregateError ? error.errors : [error]
  if (first instanceof DOMException) return { reason: first.message }
  if (!hasCode(first) || isOurs(first)) return { err: error }
  return { reason: first.message.includes(first.code) ? first.message : `${first.code}: ${first.message}` }
}
