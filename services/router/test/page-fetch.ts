const ORIGIN = 'https://app.example'

/** Headers that a page may send and read without permission. @source Fetch §2.2.2 */
const SENT_FREELY = new Set(['accept', 'accept-language', 'content-language'])
const READ_FREELY = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified']

const namesIn = (answer: Response, header: string): Set<string> =>
  new Set(
    answer.headers
      .get(header)
      ?.toLowerCase()
      .split(/\s*,\s*/),
  )

/**
 * The `fetch` of another site’s page: it asks before it sends, fails like a browser where that is not allowed, and
 * hides the headers that are not exposed.
 * @source Fetch §4.8 and §4.9
 */
export const pageFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const names = [...request.headers.keys()].filter((name) => !SENT_FREELY.has(name))
  const preflight = await fetch(request.url, {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': request.method,
      'access-control-request-headers': names.join(','),
    },
  })
  const allowed = namesIn(preflight, 'access-control-allow-headers')
  // The wildcard does not cover it.
  const isAllowed = (name: string) => allowed.has(name) || (allowed.has('*') && name !== 'authorization')
  const refused = names.filter((name) => !isAllowed(name))
  if (!preflight.ok || preflight.headers.get('access-control-allow-origin') !== '*' || refused.length > 0) {
    throw new TypeError(`Failed to fetch: the preflight does not allow ${refused}`)
  }
  request.headers.set('origin', ORIGIN)
  const answer = await fetch(request)
  const exposed = namesIn(answer, 'access-control-expose-headers')
  const seen = [...answer.headers].filter(([name]) => exposed.has(name) || READ_FREELY.includes(name))
  return new Response(answer.body, { status: answer.status, headers: seen })
}
