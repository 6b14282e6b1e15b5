import { pathItems, routes, TaskReadiness } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../actors/client.ts'
import { expectRefusal } from '../expectations/expectations.ts'
import { staged } from '../stage.ts'
import type { TargetOf } from '../target.ts'

const CATALOG_LINK = '</.well-known/api-catalog>; rel="api-catalog"'

/** What applies to every route. */
export function registerEdge(target: TargetOf): void {
  const client = () => new Client(target().baseUrl)

  test.each(['/api/nope', '/api/call/nope/nope', '/api/', '/api/call/discovery/', '/nope', '/x402/nope'])(
    '404 in JSON, not HTML: GET %s',
    async (path) => {
      expectRefusal(await client().get(path), 404, 'not_found')
    },
  )

  test('405 lists the methods that the path allows', async () => {
    const answer = await client().delete('/api/call/discovery')
    expectRefusal(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
    const write = await client().get('/x402/settle')
    expectRefusal(write, 405, 'method_not_allowed')
    expect(write.headers.get('allow')).toBe('POST')
  })

  test('400: a malformed URL path', async () => {
    expectRefusal(await client().get('/api/calls/%zz'), 400, 'invalid_request', 'path')
  })

  test('task readiness: every operation is listed, and is ready if its service answers', async () => {
    const { status, headers, json } = await client().get('/api/tasks/readiness')
    expect(status).toBe(200)
    expect(headers.get('etag')).toMatch(/^"/)
    const found = TaskReadiness.parse(json())
    expect(new Set(found.operations.map(({ id }) => id))).toEqual(new Set(routes().map(({ id }) => id)))
    const ready = new Set(found.services.flatMap((one) => (one.ready ? one.service : [])))
    for (const one of found.operations) expect(one.ready, one.id).toBe(ready.has(one.id.split('.')[0] ?? ''))
    expect(new Set(routes().map(({ id }) => id.split('.')[0]))).toEqual(
      new Set(found.services.map((one) => one.service)),
    )
    expect((await client().head('/api/tasks/readiness')).status).toBe(200)
  })

  test('the console root links to the API catalog', async () => {
    const { status, headers } = await client().get('/')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(headers.get('link')).toContain(CATALOG_LINK)
  })

  /** Asks a client's second question; anew where the document changed in between, as a directory in use does. */
  const readTwice = async (path: string) => {
    for (let tries = 1; ; tries++) {
      const first = await client().get(path)
      const [etag, control] = [first.headers.get('etag') ?? '', first.headers.get('cache-control')]
      const again = await client().get(path, { headers: { 'if-none-match': etag } })
      if (tries === 5 || again.status === 304 || again.headers.get('etag') === etag) return { etag, control, again }
    }
  }

  test.each(['/api/call/discovery', '/api/calls/list', '/x402/supported', '/openapi.json'])(
    '304: a client that has %s does not receive it again',
    async (path) => {
      const { etag, control, again } = await readTwice(path)
      expect([again.status, again.text]).toEqual([304, ''])
      expect([again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([etag, control])
      expect((await client().get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    },
  )

  test('the OpenAPI document has every route, with deprecated ones marked', async () => {
    const paths = pathItems((await client().get('/openapi.json')).json() as Record<string, unknown>)
    for (const { id, http } of routes()) {
      const at = (path: string) => paths[path.replace(/:([A-Za-z]+)/g, '{$1}')]?.[http.method.toLowerCase()]
      expect(at(http.path)?.operationId).toBe(id)
      expect(at(http.path)?.deprecated).toBeUndefined()
      for (const alias of http.aliases ?? []) expect(at(alias)?.deprecated).toBe(true)
    }
  })

  /** Bodies of the wrong kind for the route; `/x402/verify` accepts requests from any client. */
  const sendRaw = async (body: string, headers: Record<string, string>) => {
    const answer = await fetch(`${target().baseUrl}/x402/verify`, { method: 'POST', body, headers })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) as unknown }
  }
  const json = { 'content-type': 'application/json' }

  const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)

  test.each<[string, string, number, string]>([
    ['not JSON', '{', 400, 'invalid_request'],
    ['an array', '[]', 400, 'invalid_request'],
    ['a text', '"a"', 400, 'invalid_request'],
    ['a member named __proto__', '{"__proto__": {"x402Version": 2}}', 400, 'invalid_request'],
    ['nested deeper than any parser needs', '['.repeat(100_000), 400, 'invalid_request'],
    [
      'nested deep where anything may stand',
      `{"x402Version": 2, "paymentPayload": {"a": ${DEEP}}, "paymentRequirements": {}}`,
      400,
      'invalid_request',
    ],
    ['larger than is read', JSON.stringify({ a: 'a'.repeat(1024 * 1024) }), 413, 'payload_too_large'],
  ])('a body that is %s is refused', async (_what, body, status, code) => {
    expectRefusal(await sendRaw(body, json), status, code)
  })

  test('415: a body of another media type', async () => {
    expectRefusal(
      await sendRaw('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported_media_type',
    )
  })

  test('a query on a route that takes a body is refused, not ignored', async () => {
    const answer = await client().post('/x402/verify?x402Version=2', {})
    expectRefusal(answer, 400, 'invalid_request', 'x402Version')
  })

  test('any site may call the public interface without cookies; the owner’s routes allow none', async () => {
    const preflight = (path: string, method: string) =>
      client().send('OPTIONS', path, {
        headers: {
          origin: 'https://console.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'payment-signature, access-control-expose-headers',
        },
      })
    const open = await preflight('/x402/decode', 'POST')
    expect(open.headers.get('access-control-allow-origin')).toBe('*')
    expect(open.headers.get('access-control-allow-credentials')).toBeNull()
    const allowed = open.headers.get('access-control-allow-headers')?.toLowerCase()
    for (const name of ['payment-signature', 'x-payment', 'access-control-expose-headers']) {
      expect(allowed).toContain(name)
    }
    expect((await preflight('/api/keys', 'POST')).headers.get('access-control-allow-origin')).toBeNull()
  })

  staged(
    target,
    'a bearer credential does not count where a session is required, nor the other way round',
    async (stage) => {
      expectRefusal(await stage.provider.api.get('/api/keys'), 401, 'unauthorized')
      expectRefusal(await stage.provider.session.get('/api/call/listings/mine'), 401, 'unauthorized')
    },
  )
}
