import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { routes } from '@callboard/contract'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { catalogStandIn } from './catalog-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [catalogStandIn().module] })
})
afterAll(() => edge.stop())

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/** Asks without changing the codings, which `fetch` would choose and decode on its own. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const sent = request(edge.base + path, { method, headers }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('error', reject)
    answer.on('end', () =>
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
    )
  })
  sent.on('error', reject).end()
  return promise
}

const textOf = ({ headers, bytes }: Answered): string => {
  const coding = headers['content-encoding']
  return (coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

const DISCOVERY = '/api/call/discovery'
/** Everything that the gateway itself caches, and one read of a service. */
const PUBLIC = [
  DISCOVERY,
  '/api/marketplace/discovery?q=weather',
  '/openapi.json',
  '/docs',
  '/favicon.svg',
  '/signin.js',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/agent-card.json',
]

describe.each(PUBLIC)('%s', (path) => {
  test.each([
    ['nothing', undefined],
    ['gzip', 'gzip'],
    ['br', 'gzip, deflate, br'],
  ])('requested with %s, HEAD says what GET says, and its tag gives a 304', async (_what, codings) => {
    const headers = codings ? { 'accept-encoding': codings } : undefined
    const got = await ask(path, headers)
    expect(got.status).toBe(200)
    expect(got.headers['cache-control']).toMatch(/^public, max-age=/)
    expect(got.headers.vary).toMatch(/\bAccept-Encoding\b/)
    expect(got.headers['content-length']).toBe(String(got.bytes.byteLength))

    const named = [
      'etag',
      'cache-control',
      'vary',
      'content-type',
      'content-length',
      'content-encoding',
      'link',
    ] as const
    const head = await ask(path, headers, 'HEAD')
    expect([head.status, head.bytes.byteLength]).toEqual([200, 0])
    for (const name of named) expect(head.headers[name], name).toEqual(got.headers[name])

    for (const method of ['GET', 'HEAD']) {
      const known = { ...headers, 'if-none-match': `"other", W/${got.headers.etag}` }
      const again = await ask(path, known, method)
      expect([again.status, again.bytes.byteLength]).toEqual([304, 0])
      for (const name of ['etag', 'cache-control', 'vary'] as const) {
        expect(again.headers[name], name).toEqual(got.headers[name])
      }
      expect(again.headers.date).toBeDefined()
      expect(again.headers['content-encoding']).toBeUndefined()
      expect([undefined, got.headers['content-length']]).toContain(again.headers['content-length'])
      expect(again.headers['x-request-id']).toMatch(/\S/)
    }
    expect((await ask(path, { ...headers, 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('gives the same body in every coding, under separate tags', async () => {
    const answers = await Promise.all(
      ['identity', 'gzip', 'br'].map((coding) => ask(path, { 'accept-encoding': `${coding}, identity;q=0.1` })),
    )
    expect(new Set(answers.map(textOf)).size).toBe(1)
    const codings = answers.map(({ headers }) => headers['content-encoding'])
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(new Set(codings).size)
  })

  test('has nothing that belongs to its caller', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await ask(path, {}, method)
      expect(Object.keys(headers).filter((name) => /^ratelimit|^set-cookie/.test(name))).toEqual([])
    }
  })
})

describe('codings', () => {
  test.each([
    ['gzip;q=0', undefined],
    ['deflate', undefined],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['identity;q=0, *;q=0.5', 'br'],
    ['identity, gzip;q=0.5', undefined],
  ])('Accept-Encoding: %s gives %s', async (codings, coding) => {
    expect((await ask(DISCOVERY, { 'accept-encoding': codings })).headers['content-encoding']).toBe(coding)
  })

  test.each(['identity;q=0', '*;q=0', 'identity;q=0, deflate'])('406 not_acceptable: %s', async (codings) => {
    const answer = await ask(DISCOVERY, { 'accept-encoding': codings })
    expect(answer.status).toBe(406)
    expect(JSON.parse(textOf(answer))).toMatchObject({ error: 'not_acceptable', field: 'accept-encoding' })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers.etag).toBeUndefined()
  })

  test('a body too small to compress is compressed only for a client that accepts nothing else', async () => {
    const small = '/.well-known/oauth-protected-resource'
    expect((await ask(small, { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined()
    expect((await ask(small, { 'accept-encoding': 'br, *;q=0' })).headers['content-encoding']).toBe('br')
  })
})

test('a refusal and an uncacheable answer still say how much of the limit is left', async () => {
  const refused = await ask(`${DISCOVERY}?limit=0`)
  expect([refused.status, refused.headers['cache-control']]).toEqual([400, 'no-store'])
  expect(refused.headers.ratelimit).toMatch(/^"read";r=\d+;t=\d+$/)
  const nonce = await ask('/api/auth/siwe-nonce?purpose=login', { 'accept-encoding': 'br' })
  expect(nonce.headers.ratelimit).toMatch(/^"nonce";/)
  expect([nonce.headers.etag, nonce.headers['content-encoding']]).toEqual([undefined, undefined])
})

test('a read that shared caches may keep needs no credential and changes nothing', () => {
  for (const { id, http } of routes()) {
    if (!http.cache?.startsWith('public')) continue
    expect([http.auth, http.method, http.ok, http.paid, http.changes], id).toEqual([
      'none',
      'GET',
      200,
      undefined,
      undefined,
    ])
  }
})
