import { request as httpRequest } from 'node:http'
import { routes } from '@callboard/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { backupsStandIn, ETAG, KEY, SEALED } from './backups-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

const stand = backupsStandIn()
let edge: Edge
let cookie: string
let agent: string
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [stand.module] })
  cookie = await edge.signIn(1)
  agent = (await edge.link(3, 1, ['mcp:call'])).access_token
})
afterAll(() => edge.stop())
beforeEach(() => {
  stand.asked.length = 0
})

const CODE = 'a'.repeat(43)
const OPEN = `/api/agents/backup-relays/${CODE}`
const RESULT = `${OPEN}/result`
const SELF = '/api/agents/self/backup'
const json = { 'content-type': 'application/json' }
type Head = Record<string, string>

const send = (method: string, path: string, headers: Head = {}, body?: object) =>
  fetch(edge.base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
/** Opens a relay with exactly these headers: `fetch` adds a `Sec-Fetch-Mode` of its own. */
const openWith = (headers: Head): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const asking = httpRequest(edge.base + OPEN, { headers: { cookie, ...headers } }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString()
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) })
    })
    asking.on('error', reject).end()
  })
const operations = () => stand.asked.map(({ operation }) => operation)

describe('a GET that changes something', () => {
  test('is any that mints a nonce, binds a relay or reads its result', () => {
    const changing = routes().filter(({ http }) => http.changes)
    expect(changing.map(({ id }) => id).sort()).toEqual([
      ...['agents.openRelay', 'agents.readRelay', 'listings.claimNonce', 'listings.payoutNonce', 'oauth.siweNonce'],
    ])
  })

  test('405 method_not_allowed: has no HEAD, which therefore consumes nothing', async () => {
    for (const [path, allow] of [
      [RESULT, 'GET'],
      [OPEN, 'GET, PUT'],
      ['/api/auth/siwe-nonce?purpose=login', 'GET'],
      ['/api/call/listings/payout-nonce', 'GET'],
    ] as const) {
      const answer = await send('HEAD', path, { cookie })
      expect(answer.status, path).toBe(405)
      expect(answer.headers.get('allow')).toBe(allow)
    }
    expect(operations()).toEqual([])
  })

  test.each<Head>([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'sec-purpose': 'prefetch;anonymous-client-ip' },
    { purpose: 'prefetch' },
  ])('403 unsolicited_request: one sent ahead of its user consumes nothing: %j', async (ahead) => {
    for (const path of [RESULT, OPEN, '/api/auth/siwe-nonce?purpose=login']) {
      const answer = await send('GET', path, { cookie, ...ahead })
      expect(answer.status, path).toBe(403)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.json()).toMatchObject({ error: 'unsolicited_request' })
    }
    expect(operations()).toEqual([])
  })

  test.each<[string, Head]>([
    ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
    ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['an image on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['the address bar', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['the address bar, without a mode', { 'sec-fetch-site': 'none' }],
    ['a link on a page of ours', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
    ['a browser that says only that it navigates', { 'sec-fetch-mode': 'navigate' }],
    ['an unknown site', { 'sec-fetch-site': 'else', 'sec-fetch-mode': 'cors' }],
  ])('403 unsolicited_request: with the owner’s cookie from %s', async (_what, head) => {
    expect(await openWith(head)).toMatchObject({ status: 403, body: { error: 'unsolicited_request' } })
    expect(operations()).toEqual([])
  })

  test.each<[string, Head]>([
    ['a page of ours', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['an extension of the owner’s', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors' }],
    ['a client that is no browser', {}],
  ])('is accepted with the owner’s cookie from %s', async (_what, head) => {
    expect((await openWith(head)).status).toBe(200)
    expect(stand.asked).toMatchObject([{ operation: 'openRelay', caller: { kind: 'session' }, input: { code: CODE } }])
  })

  test('needs no session for the result, which any site may read: only the code counts', async () => {
    const answer = await send('GET', RESULT, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({ status: 'sealed', result: SEALED })
    expect(stand.asked).toMatchObject([{ operation: 'readRelay', caller: { kind: 'anonymous' } }])
  })

  test('401 unauthorized: opening a relay without a session', async () => {
    expect((await send('GET', OPEN)).status).toBe(401)
    expect((await send('GET', OPEN, { authorization: `Bearer ${agent}` })).status).toBe(401)
    expect(operations()).toEqual([])
  })
})

test('403 origin_mismatch: a result can be uploaded from our own origin only', async () => {
  const upload = (head: Head) => send('PUT', OPEN, { ...json, cookie, ...head }, SEALED)
  for (const head of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: edge.base, 'sec-fetch-site': 'cross-site' },
  ] as Head[]) {
    const answer = await upload(head)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ error: 'origin_mismatch' })
  }
  expect(operations()).toEqual([])
  expect((await upload({ origin: edge.base })).status).toBe(204)
  expect(stand.asked).toMatchObject([{ operation: 'sealRelay', input: { code: CODE, ...SEALED } }])
})

test('the requester of a relay is whom the edge sees, whatever the body says', async () => {
  const body = { publicKey: KEY, code: CODE, device: 'laptop', purpose: 'restore' }
  const claimed = { requester: { address: '203.0.113.7', userAgent: 'a bank' } }
  const answer = await send(
    'POST',
    '/api/agents/backup-relays',
    { ...json, 'user-agent': 'me' },
    { ...body, ...claimed },
  )
  expect(answer.status).toBe(201)
  expect(stand.asked).toMatchObject([{ input: { requester: { address: '127.0.0.1', userAgent: 'me' } } }])
})

describe('the entity tag', () => {
  const envelope = { ...SEALED, recipient: KEY }
  const requester = { address: '127.0.0.1', userAgent: 'node' }
  const asked = { ...envelope, requester }
  const store = (head: Head = {}, more: object = {}) =>
    send('PUT', SELF, { ...json, authorization: `Bearer ${agent}`, ...head }, { ...envelope, ...more })

  test('304: a client that has the backup does not receive it again', async () => {
    const path = '/api/agents/devices/laptop/backup'
    for (const method of ['GET', 'HEAD']) {
      for (const known of [ETAG, `W/${ETAG}`, `"other", ${ETAG}`, '*']) {
        const answer = await send(method, path, { cookie, 'if-none-match': known })
        expect([answer.status, answer.headers.get('etag'), await answer.text()], known).toEqual([304, ETAG, ''])
      }
    }
    expect((await send('GET', path, { cookie, 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('leaves as the ETag, not in the body', async () => {
    for (const answer of [await store(), await send('GET', '/api/agents/devices/laptop/backup', { cookie })]) {
      expect(answer.status).toBe(200)
      expect(answer.headers.get('etag')).toBe(ETAG)
      expect(await answer.json()).not.toHaveProperty('etag')
    }
  })

  test('is also on a HEAD of a backup', async () => {
    const answer = await send('HEAD', '/api/agents/devices/laptop/backup', { cookie })
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([200, ETAG, ''])
  })

  test('preconditions reach the operation as the headers state them', async () => {
    await store({ 'if-match': `W/"a", ${ETAG}` })
    await store({ 'if-none-match': '*' })
    await store()
    const [matching, none, without] = stand.asked.map(({ input }) => input)
    expect(matching).toEqual({ ...asked, ifMatch: `W/"a", ${ETAG}` })
    expect(none).toEqual({ ...asked, ifNoneMatch: '*' })
    expect(without).toEqual(asked)
  })

  test('a member of the body is not treated as a precondition', async () => {
    expect((await store({}, { ifMatch: '*', ifNoneMatch: '*' })).status).toBe(200)
    expect((await store({ 'if-match': ETAG }, { ifMatch: '*' })).status).toBe(200)
    expect(stand.asked.map(({ input }) => input)).toEqual([asked, { ...asked, ifMatch: ETAG }])
  })

  test('400 invalid_request: an If-None-Match that names a tag, or an overlong If-Match', async () => {
    for (const [head, field] of [
      [{ 'if-none-match': ETAG }, 'if-none-match'],
      [{ 'if-match': `"${'a'.repeat(2_000)}"` }, 'if-match'],
    ] as [Head, string][]) {
      const answer = await store(head)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: 'invalid_request', field })
    }
    expect(operations()).toEqual([])
  })
})
