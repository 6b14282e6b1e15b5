import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { oauth as operations, routes } from '@callboard/contract'
import { signedMessage, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

const OWNER = 1

let edge: Edge
let base: string

beforeAll(async () => {
  const RATE_LIMITS = JSON.stringify({
    recheck: { burst: 3, perMinute: 1 },
    signIn: { burst: 100, perMinute: 100 },
  })
  edge = await startEdge(inject('postgresUrl'), { env: { RATE_LIMITS } })
  base = edge.base
})
afterAll(() => edge.stop())

const json = { 'content-type': 'application/json' }

describe('bad input', () => {
  test.each([
    ['kinds of an unknown word', '/api/call/discovery?kinds=nonsense', 'kinds.0'],
    ['the bracketed form of kinds', '/api/call/discovery?kinds[]=api', 'kinds[]'],
    ['limit 0', '/api/call/discovery?limit=0', 'limit'],
    ['limit 51', '/api/call/discovery?limit=51', 'limit'],
    ['limit twice', '/api/call/discovery?limit=5&limit=6', 'limit'],
    ['q of 201 characters', `/api/call/discovery?q=${'a'.repeat(201)}`, 'q'],
    ['an unknown query parameter', '/api/call/services?nope=1', 'nope'],
    ['a path parameter that the query gives again', '/api/calls/one?serviceId=other', 'serviceId'],
    ['an unknown category', '/api/call/services?category=cats', 'category'],
    ['an unknown range', '/api/call/stats?range=1y', 'range'],
    ['limit 101 of activity', '/api/call/activity?limit=101', 'limit'],
    ['an address with a wrong checksum', '/api/call/activity/0x70997970C51812dc3A010C7d01b50e0d17dc79c8', 'address'],
    ['an unknown purpose', '/api/auth/siwe-nonce?purpose=fun', 'purpose'],
    ['a missing purpose', '/api/auth/siwe-nonce', 'purpose'],
  ])('400 invalid_request: %s is refused, naming the field', async (_what, path, field) => {
    const answer = await fetch(base + path)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: 'invalid_request',
      field,
      message: expect.stringContaining(field),
    })
  })

  const post = (body: BodyInit, headers: Record<string, string> = json) =>
    fetch(`${base}/api/auth/session`, { method: 'POST', headers, body })

  test('400 invalid_request: a body that is not JSON', async () => {
    const answer = await post('{"message":')
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_request', field: 'body' })
  })

  test('400 invalid_request: a body that is not an object', async () => {
    expect(await (await post('[1,2]')).json()).toMatchObject({ error: 'invalid_request', field: 'body' })
  })

  test('400 invalid_request: an empty body names the first missing field', async () => {
    const answer = await fetch(`${base}/api/auth/session`, { method: 'POST' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ field: 'message', message: 'message: is required' })
  })

  test('400 invalid_request: a body that pollutes prototypes', async () => {
    expect((await post('{"__proto__":{"admin":true}}')).status).toBe(400)
  })

  const facilitated = (body: BodyInit) =>
    fetch(`${base}/x402/verify`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

  test.each([
    ['a member twice', '{"x402Version":2,"x402Version":1}', 'has the member "x402Version" twice in one object'],
    ['a member twice, written in two ways', '{"a":{"to":1,"\\u0074o":2}}', 'has the member "to" twice in one object'],
    ['a byte-order mark', '\ufeff{"x402Version":2}', 'begins with a byte-order mark'],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 'is not UTF-8'],
    ['an integer beyond 2^53', '{"x402Version":9007199254740993}', 'has a number that cannot be read exactly'],
  ])('400 invalid_request: a payment’s body with %s, which is named', async (_what, body, reason) => {
    const answer = await facilitated(body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_request', field: 'body', message: `body: ${reason}` })
  })

  test('415 unsupported_media_type: a form where JSON is expected', async () => {
    const answer = await post('message=1', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({ error: 'unsupported_media_type', field: 'content-type' })
  })

  test('413 payload_too_large: a body of 10 MiB sent whole is read to its end, and its connection stays', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024, 'a')
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    let text = ''
    const over = new Promise<void>((resolve, reject) => socket.on('error', reject).on('close', () => resolve()))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(
      `POST /api/auth/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    socket.write(body)
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await over
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*"payload_too_large"[\s\S]*HTTP\/1\.1 200 /)
  })

  test('413 payload_too_large: a body of 10 MiB is refused before it is sent', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const req = httpRequest(`${base}/api/auth/session`, {
        method: 'POST',
        headers: { ...json, 'content-length': 10 * 1024 * 1024 },
      })
      req.on('response', (res) => resolve(res.statusCode ?? 0)).on('error', reject)
      req.write('{"message":"')
    })
    expect(status).toBe(413)
  })

  test('431 headers_too_large: a head of 1 MiB', async () => {
    const head = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
      socket.on('error', (error) => (text ? resolve(text) : reject(error)))
      socket.write(`GET / HTTP/1.1\r\nhost: x\r\npayment-signature: ${'a'.repeat(1024 * 1024)}\r\n\r\n`)
    })
    expect(head).toMatch(/^HTTP\/1\.1 431 /)
    expect(head).toContain('"headers_too_large"')
  })

  test('nothing of a refused request is stored', async () => {
    expect(await edge.database.query('select * from oauth.account')).toEqual([])
    expect(await edge.database.query('select * from oauth.session')).toEqual([])
  })
})

test('400 invalid_request: a body that repeats a path parameter', async () => {
  const { key } = await edge.newKey(await edge.signIn(OWNER))
  const answer = await fetch(`${base}/api/call/listings/one`, {
    method: 'PATCH',
    headers: { ...json, authorization: `Bearer ${key}` },
    body: JSON.stringify({ slug: 'other', name: 'Another' }),
  })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ field: 'slug', message: 'slug: is given in the path' })
})

describe('routes', () => {
  test('404 not_found: an unknown /api path gets JSON', async () => {
    const answer = await fetch(`${base}/api/nothing/here`)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toMatchObject({ error: 'not_found' })
  })

  test('404: a browser that asks for a page gets a page, except below /api, /v1 and the like', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const asked = async (path: string, init: RequestInit = { headers: { accept } }) => {
      const answer = await fetch(base + path, init)
      return [answer.status, answer.headers.get('content-type')?.split(';')[0]]
    }
    const [page, json] = [
      [404, 'text/html'],
      [404, 'application/json'],
    ]
    expect(await asked('/acount?from=here')).toEqual(page)
    const paths = ['/api/nothing', '/v1/unknown', '/api', '/oauth/nothing', '/.well-known/nothing', '/x402?a']
    for (const path of paths) expect(await asked(path), path).toEqual(json)
    expect(await asked('/acount', {})).toEqual(json)
    expect(await asked('/acount', { method: 'POST', headers: { accept } })).toEqual(json)
    const answer = await fetch(`${base}/<b>acount`, { headers: { accept } })
    expect(answer.headers.get('vary')).toContain('Accept')
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'")
    expect(await answer.text()).toContain('<h1>There is no such page</h1>')
  })

  test('404 and 405 without a route link to the reference, for people and for programs', async () => {
    const links =
      '</docs>; rel="service-doc"; type="text/html", </openapi.json>; rel="service-desc"; type="application/json"'
    for (const [method, path] of [
      ['GET', '/api/nothing/here'],
      ['POST', '/nothing'],
      ['PUT', '/api/call/discovery'],
      ['GET', '/v1/unknown'],
    ] as const) {
      expect((await fetch(base + path, { method })).headers.get('link')).toBe(links)
    }
    const { message } = (await (await fetch(`${base}/api/nothing/here`)).json()) as { message: string }
    expect(message).toBe(`There is no such route. ${base}/docs lists all routes.`)
    const { link } = Object.fromEntries((await fetch(`${base}/api/marketplace/discovery`, { method: 'PUT' })).headers)
    expect(link).toContain('rel="successor-version"')
    expect(link).toContain('rel="service-doc"')
  })

  test.each([
    ['POST', '/api/call/discovery', 'GET, HEAD'],
    ['PUT', '/api/agents/agent_0x00', 'PATCH, DELETE'],
    ['PUT', '/link?user_code=BCDF-GHJK', 'GET, POST, HEAD'],
    ['POST', '/.well-known/oauth-authorization-server', 'GET, HEAD'],
    ['DELETE', '/docs', 'GET, HEAD'],
    ['PUT', '/api/agents/backups', 'GET, HEAD'],
    ['PUT', '/api/agents/self', 'GET, HEAD, DELETE'],
  ])('405 method_not_allowed: %s %s, and names the methods that the path has', async (method, path, allowed) => {
    const answer = await fetch(base + path, { method })
    expect(answer.status).toBe(405)
    const named = answer.headers.get('allow')?.split(', ') ?? []
    expect(named.toSorted()).toEqual(allowed.split(', ').toSorted())
  })

  test.each([
    ['404 not_found', '/v1/unknown', 'not_found'],
    ['405 method_not_allowed', '/v1/chat/completions', 'method_not_allowed'],
    ['400 invalid_request, a part that is too long', `/v1/receipts/${'a'.repeat(257)}`, 'invalid_request'],
  ])('%s: below /v1, the answer has the form that OpenAI’s clients read', async (told, path, code) => {
    const answer = await fetch(base + path)
    expect(answer.status).toBe(Number(told.slice(0, 3)))
    expect(await answer.json()).toEqual({
      error: {
        message: expect.stringMatching(/\S/),
        type: 'invalid_request_error',
        param: expect.toBeOneOf([null, 'path']),
        code,
      },
    })
  })

  test('503 temporarily_unavailable: a service that is not running', async () => {
    const answer = await fetch(`${base}/api/call/discovery`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await answer.json()).toMatchObject({ error: 'temporarily_unavailable' })
  })

  test.each([
    ['/api/marketplace/discovery', '/api/call/discovery'],
    ['/api/network/services', '/api/call/services'],
  ])('%s is deprecated in favour of %s, even when it refuses', async (alias, path) => {
    for (const query of ['', '?limit=0']) {
      const answer = await fetch(base + alias + query)
      expect(answer.headers.get('deprecation')).toBe('true')
      expect(answer.headers.get('link')).toContain(`<${path}>; rel="successor-version"`)
    }
  })

  test('a deprecated path says so on a 405 too', async () => {
    const answer = await fetch(`${base}/api/network/services`, { method: 'PUT' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('deprecation')).toBe('true')
    expect(answer.headers.get('link')).toContain('</api/call/services>; rel="successor-version"')
    const successor = await fetch(`${base}/api/call/services`, { method: 'PUT' })
    expect(successor.headers.get('deprecation')).toBeNull()
  })

  test('discovery and the root link to the API catalog', async () => {
    for (const path of ['/', '/api/call/discovery']) {
      const answer = await fetch(base + path)
      expect(answer.headers.get('link')).toContain('</.well-known/api-catalog>; rel="api-catalog"')
    }
  })

  test('/docs shows every route, without script and without another host', async () => {
    const answer = await fetch(`${base}/docs`)
    const html = await answer.text()
    for (const { http } of routes()) expect(html).toContain(`<code>${http.method} ${http.path}</code>`)
    expect(html.replaceAll(base, '')).not.toMatch(/<script|(?:src|href)="https?:/)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('HEAD of a nonce mints nothing', async () => {
    expect((await fetch(`${base}/api/auth/siwe-nonce?purpose=login`, { method: 'HEAD' })).status).toBe(405)
  })

  test('openapi.json names every route of the contract', async () => {
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as { openapi: string; paths: object }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/api/call/listings/{slug}/status')
  })
})

describe('CORS', () => {
  test('a browser’s x402 client may send its payment and read the evidence', async () => {
    const answer = await fetch(`${base}/x402/decode`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'payment-signature,access-control-expose-headers',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('payment-signature')
    const read = await fetch(`${base}/api/call/discovery`, { headers: { origin: 'https://app.example' } })
    expect(read.headers.get('access-control-expose-headers')).toContain('PAYMENT-RESPONSE')
  })

  test('an owner’s routes allow no other site', async () => {
    const answer = await fetch(`${base}/api/keys`, { headers: { origin: 'https://app.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('credentials', () => {
  test('401 unauthorized: a missing or worthless bearer gets a challenge', async () => {
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: 'Basic abc' }]) {
      const answer = await fetch(`${base}/api/call/listings/mine`, { headers: headers as Record<string, string> })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="callboard"/)
    }
  })

  test('401 unauthorized: a browser session is not a bearer, and a bearer is not a session', async () => {
    const cookie = await edge.signIn(OWNER)
    expect((await fetch(`${base}/api/call/listings/mine`, { headers: { cookie } })).status).toBe(401)
    const { key } = await edge.newKey(cookie)
    expect((await fetch(`${base}/api/keys`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(401)
  })

  test('403 origin_mismatch: a write with a session needs our own origin', async () => {
    const cookie = await edge.signIn(OWNER)
    const write = (headers: Record<string, string>) =>
      fetch(`${base}/api/keys`, { method: 'POST', headers: { ...json, cookie, ...headers }, body: '{"label":"x"}' })
    expect((await write({})).status).toBe(403)
    expect((await write({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await write({ origin: 'null' })).status).toBe(403)
    expect((await write({ origin: base, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await write({ origin: base })).status).toBe(201)
  })

  test('a revoked key is refused from the moment its 204 arrives, under load', async () => {
    const cookie = await edge.signIn(OWNER)
    const { id, key } = await edge.newKey(cookie)
    const use = async () =>
      (await fetch(`${base}/api/call/listings/mine`, { headers: { authorization: `Bearer ${key}` } })).status
    // No listings service runs here: a valid key gets 503.
    expect(await use()).toBe(503)
    let revoked = false
    const afterwards: number[] = []
    const load = Array.from({ length: 4 }, async () => {
      for (let turn = 0; turn < 40; turn += 1) {
        const began = revoked
        const status = await use()
        if (began) afterwards.push(status)
      }
    })
    const answer = await fetch(`${base}/api/keys/${id}`, { method: 'DELETE', headers: { cookie, origin: base } })
    expect(answer.status).toBe(204)
    revoked = true
    await Promise.all(load)
    expect([...afterwards, await use()].filter((status) => status !== 401)).toEqual([])
  })

  test('an introspection is requested once and then kept', async () => {
    const { key } = await edge.newKey(await edge.signIn(OWNER))
    const headers = { authorization: `Bearer ${key}` }
    const introspections = async () => {
      const metric = await edge.services.metrics.registry.getSingleMetricAsString(
        'callboard_operation_duration_seconds',
      )
      return Number(/_count\{operation="oauth.introspect",outcome="ok"\} (\d+)/.exec(metric)?.[1] ?? 0)
    }
    await fetch(`${base}/api/call/listings/mine`, { headers })
    const before = await introspections()
    for (let turn = 0; turn < 5; turn += 1) await fetch(`${base}/api/call/listings/mine`, { headers })
    expect(await introspections()).toBe(before)
  })
})

describe('rate limits', () => {
  test('429 rate_limited: says how much is left, and when to come back', async () => {
    const hit = () => fetch(`${base}/api/call/listings/some-slug/resync`, { method: 'POST' })
    const first = await hit()
    expect(first.headers.get('ratelimit-policy')).toBe('"recheck";q=3;w=180')
    expect(first.headers.get('ratelimit')).toMatch(/^"recheck";r=2;t=60$/)
    await hit()
    await hit()
    const refused = await hit()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(await refused.json()).toMatchObject({ error: 'rate_limited' })
  })
})

test('an operation’s own refusals keep their status: 401 invalid_signature', async () => {
  const { nonce } = (await (await fetch(`${base}/api/auth/siwe-nonce?purpose=${'login'}`)).json()) as { nonce: string }
  const signed = await signedMessage(
    wallet(OWNER),
    { purpose: 'login', nonce, baseUrl: base },
    { domain: 'evil.example' },
  )
  const answer = await fetch(`${base}/api/auth/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(signed),
  })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ error: operations.createSession.errors[1]?.code })
})
