/** No spaces, and nothing that a header or a policy would read differently. */
const VISIBLE = /^[\x21-\x7e]+$/
const SITE = /^https:\/\/[a-z0-9.-]+(:\d{1,5})?([/?]|$)/i
/** RFC 8252 §7.3; `localhost` is tolerated, as many programs register it. */
const LOOPBACK = /^(?<host>http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?<rest>[/?].*|)$/
/** RFC 8252 §7.1: a reversed domain name, so that no two programs use the same scheme by accident. */
const PROGRAM = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:/

/**
 * Why a redirect URI cannot be registered; undefined if it can. Allowed are https, http on loopback, and a private-use
 * scheme in reverse-domain form.
 */
export function redirectUriProblem(uri: string): string | undefined {
  const url = VISIBLE.test(uri) ? URL.parse(uri) : null
  if (!url) return 'is not an absolute URI'
  if (uri.includes('#')) return 'must not have a fragment'
  if (url.username || url.password) return 'must not carry credentials'
  const isAllowed = [SITE, LOOPBACK, PROGRAM].some((pattern) => pattern.test(uri))
  return isAllowed ? undefined : 'must be https, http on loopback, or a private-use scheme such as com.example.app:/'
}

/**
 * Whether a requested redirect URI is registered: the same text, except for the port of a loopback address, which a
 * program gets from its system at request time (RFC 8252 §7.3).
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  const loopback = withoutPort(asked)
  return registered.some((uri) => uri === asked || (loopback !== undefined && withoutPort(uri) === loopback))
}

/** A loopback URI without its port; undefined for any other. */
function withoutPort(uri: string): string | undefined {
  const { host, rest } = (VISIBLE.test(uri) && URL.canParse(uri) && LOOPBACK.exec(uri)?.groups) || {}
  return host === undefined ? undefined : `${host} ${rest}`
}

/** The target of a redirect URI, as shown to an owner and named in a page's `form-action`. */
export function targetOf(uri: string): {
  readonly host: string
  readonly formAction: string
  readonly to: 'site' | 'loopback' | 'program'
} {
  const { protocol, host, origin } = new URL(uri)
  if (protocol === 'https:') return { host, formAction: origin, to: 'site' }
  // A content security policy cannot name an IPv6 address.
  if (protocol === 'http:') return { host, formAction: host.startsWith('[') ? 'http:' : origin, to: 'loopback' }
  return { host: protocol.slice(0, -1), formAction: protocol, to: 'program' }
}
