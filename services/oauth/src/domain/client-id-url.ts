const LONGEST = 2_048
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/]/

/** Whether a client id names a metadata document; the ids that we issue never look like a URL. */
export const isClientIdUrl = (id: string): boolean => /^https?:/i.test(id)

/**
 * Why a URL cannot be a client id; undefined if it can. It must be in normalized form: then it can be read in only one
 * way, and cannot hide where it leads.
 * @param allowLoopback on a devnet a document may be served over http on this machine
 * @source draft-ietf-oauth-client-id-metadata-document, "Client Identifier"
 */
export function clientIdUrlProblem(id: string, { allowLoopback }: { readonly allowLoopback: boolean }) {
  if (id.length > LONGEST) return 'is longer than 2,048 characters'
  const url = URL.parse(id)
  if (!url) return 'is not a URL'
  if (url.protocol !== 'https:' && !(allowLoopback && LOOPBACK.test(id))) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not carry credentials'
  if (id.includes('#')) return 'must not have a fragment'
  if (url.pathname === '/') return 'must have a path'
  if (url.href !== id) return 'must be in normal form: no dot segments, no capitals in its host, no default port'
  return undefined
}
