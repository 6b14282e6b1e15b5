/** What a call of a listing may be sent to. */
interface Endpoint {
  readonly method: string
  readonly url: string
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether a service runs on this machine, as a devnet does; its sellers do too. */
export const isLocal = (baseUrl: string): boolean => LOOPBACK.test(new URL(baseUrl).hostname)

/**
 * Whether a call is one of an endpoint: further parameters are its input, and those that are listed have their values
 * and no other. Of two values, a server may take either.
 */
function isCallOf(called: URL, { url }: Endpoint): boolean {
  const listed = URL.parse(url)
  if (listed?.origin !== called.origin || listed.pathname !== called.pathname) return false
  const valuesIn = ({ searchParams }: URL, name: string) => JSON.stringify(searchParams.getAll(name))
  return [...listed.searchParams.keys()].every((name) => valuesIn(called, name) === valuesIn(listed, name))
}

/**
 * Says why a call must not be sent, or undefined where it may. A model calls what it has read, and a listing's text may
 * tell it to call a server of its owner's network: only what the service has probed as an endpoint of that listing is
 * called, over TLS, whose certificate shows that the name still leads to the same host.
 * @param isService whether the service is on this machine: its sellers there have no certificate
 */
export function whyNotCalled(
  called: { readonly method: string; readonly url: string },
  endpoints: readonly Endpoint[],
  isService: boolean,
): string | undefined {
  const url = URL.parse(called.url)
  if (!url) return `${called.url.slice(0, 200)} is not a URL`
  if (url.username || url.password) return 'the URL holds a user name or a password'
  if (url.protocol !== 'https:' && !(isService && url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    return 'the URL is not https'
  const ofMethod = endpoints.filter(({ method }) => method === called.method)
  if (ofMethod.some((endpoint) => isCallOf(url, endpoint))) return undefined
  const known = endpoints.map(({ method, url: at }) => `${method} ${at}`).join(', ')
  return `the listing has no endpoint ${called.method} ${url.origin}${url.pathname}; it has ${known || 'none'}`
}
