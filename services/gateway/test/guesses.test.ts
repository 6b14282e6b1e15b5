import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
let base: string
let cookie: string
let address = 0
/** Behind one proxy, so that each test can have its own address. */
let from: Record<string, string>

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { env: { TRUST_PROXY: '1' } })
  base = edge.base
  cookie = await edge.signIn(1)
})
afterAll(() => edge.stop())
beforeEach(() => {
  address += 1
  from = { 'x-forwarded-for': `203.0.${address}.7` }
})

/** No listings service runs here: an admitted caller gets 503. */
const LET_IN = 503

const present = (credential?: string) =>
  fetch(`${base}/api/call/listings/mine`, {
    headers: credential === undefined ? from : { ...from, authorization: `Bearer ${credential}` },
  })

const dead = (prefix: string) => `${prefix}${randomBytes(32).toString('base64url')}`

async function introspections(): Promise<number> {
  const metric = await edge.services.metrics.registry.getSingleMetricAsString('callboard_operation_duration_seconds')
  return Number(/_count\{operation="oauth.introspect",outcome="ok"\} (\d+)/.exec(metric)?.[1] ?? 0)
}

/** The answers to 200 presentations, and how often oauth was asked. */
async function presentMany(credentialOf: () => string | undefined, between: () => Promise<void> = async () => {}) {
  const before = await introspections()
  const answers: Response[] = []
  for (let turn = 0; turn < 200; turn += 1) {
    const answer = await present(credentialOf())
    await answer.text()
    answers.push(answer)
    if (turn % 10 === 0) await between()
  }
  return { answers, asked: (await introspections()) - before }
}

const isChallenged = (answer: Response) =>
  answer.status === 401 &&
  answer.headers.get('www-authenticate')?.includes(`resource_metadata="${base}/.well-known/oauth-protected-resource"`)

test('200 requests without a credential are all challenged, and oauth is not asked', async () => {
  const { answers, asked } = await presentMany(() => undefined)
  expect(answers.every(isChallenged)).toBe(true)
  expect(asked).toBe(0)
})

test('a dead credential in a loop is challenged as invalid each time, and looked up once', async () => {
  const credential = dead('cb_access_')
  const { answers, asked } = await presentMany(() => credential)
  expect(answers.every(isChallenged)).toBe(true)
  expect(answers.every((answer) => answer.headers.get('www-authenticate')?.includes('error="invalid_token"'))).toBe(
    true,
  )
  expect(asked).toBe(1)
})

test('200 guesses of one key are all challenged, while keys of the same address, even new ones, always pass', async () => {
  const { key: attacked } = await edge.newKey(cookie)
  expect((await present(attacked)).status).toBe(LET_IN)
  const fresh = await Promise.all(Array.from({ length: 9 }, async () => (await edge.newKey(cookie)).key))
  const { answers, asked } = await presentMany(
    () => dead(attacked.slice(0, 12)),
    async () => {
      expect((await present(attacked)).status).toBe(LET_IN)
      const unseen = fresh.pop()
      if (unseen) expect((await present(unseen)).status).toBe(LET_IN)
    },
  )
  expect(answers.every(isChallenged)).toBe(true)
  expect(asked).toBeLessThan(80)
  const last = answers.findLast((answer) => answer.headers.has('retry-after'))
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(last?.headers.get('www-authenticate'), 'it was not examined').not.toContain('invalid_token')
})

test('200 clients of one address that each present a dead credential are all challenged', async () => {
  const { answers } = await presentMany(() => dead('cb_key_'))
  expect(answers.every(isChallenged)).toBe(true)
  expect(answers.some((answer) => answer.headers.has('retry-after'))).toBe(false)
})

test('a client behind a NAT finds the authorization server while its neighbours’ credentials are dead', async () => {
  await presentMany(() => dead('cb_access_AA'))
  const challenge = (await present()).headers.get('www-authenticate') ?? ''
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
  const resource = (await (await fetch(metadata, { headers: from })).json()) as { authorization_servers: string[] }
  const server = `${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`
  expect((await fetch(server, { headers: from })).status).toBe(200)
})

test('a key presented in parallel at its first use is admitted each time', async () => {
  const { key } = await edge.newKey(cookie)
  const answers = await Promise.all(Array.from({ length: 60 }, () => present(key)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([LET_IN]))
})

test('guesses of one prefix from many addresses of one network count together', async () => {
  const before = await introspections()
  for (let host = 0; host < 60; host += 1) {
    from = { 'x-forwarded-for': `198.51.100.${host}` }
    expect((await present(dead('cb_key_abcde'))).status).toBe(401)
  }
  expect((await introspections()) - before).toBeLessThan(50)
})

test('429: an activation probes every endpoint, so it also counts as a probe, and going offline does not', async () => {
  const { key } = await edge.newKey(await edge.signIn(10))
  const act = async (action: string) =>
    (
      await fetch(`${base}/api/call/listings/tide-tables/status`, {
        method: 'POST',
        headers: { ...from, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ action }),
      })
    ).status
  let admitted = 0
  while ((await act('activate')) !== 429) admitted += 1
  expect(admitted).toBe(20)
  expect(await act('suspend')).toBe(LET_IN)
})

test('429: owners cost nothing, so the probes of one network are limited over all of them', async () => {
  const keys: string[] = []
  for (const wallet of [11, 12, 13, 14, 15, 16]) keys.push((await edge.newKey(await edge.signIn(wallet))).key)
  const probe = async (key: string, headers: Record<string, string>) =>
    (
      await fetch(`${base}/api/call/listings/probe`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status
  const admitted: number[] = []
  for (const key of keys) {
    let count = 0
    while ((await probe(key, from)) !== 429) count += 1
    admitted.push(count)
  }
  expect(admitted.slice(0, 3)).toEqual([20, 20, 20])
  expect(admitted.at(-1)).toBe(0)
  expect(await probe(keys.at(-1) ?? '', { 'x-forwarded-for': '198.51.100.7' })).not.toBe(429)
})

test.each([
  ['/api/keys', 21],
  ['/api/router/keys', 31],
] as const)(
  '429: owners cost nothing, so the keys that one network makes at %s are limited over all of them',
  async (path, firstWallet) => {
    const admitted: number[] = []
    for (let owner = 0; owner < 6; owner += 1) {
      const headers = {
        ...{ cookie: await edge.signIn(firstWallet + owner), origin: base, 'content-type': 'application/json' },
        'x-forwarded-for': `2001:db8:${address}:${owner}::1`,
      }
      let count = 0
      while ((await fetch(base + path, { method: 'POST', headers, body: '{}' })).status !== 429) count += 1
      admitted.push(count)
    }
    expect(admitted[0]).toBeGreaterThanOrEqual(60)
    expect(admitted.reduce((sum, count) => sum + count)).toBeLessThan(300)
  },
)

test.each([
  ['relays', '/api/agents/backup-relays', 30],
  ['requests to link', '/oauth/device_authorization', 60],
  ['clients', '/oauth/register', 60],
  ['rechecks', '/api/call/listings/tide-tables/resync', 5],
  ['onramp sessions', '/api/wallet/onramp-session', 5],
  ['support reports', '/api/support/reports', 20],
  ['sign-ins', '/api/auth/session', 100],
])('429: addresses cost nothing, so the %s of one network are limited over all of them', async (_what, path, each) => {
  const ask = async (ip: string) =>
    (
      await fetch(base + path, {
        method: 'POST',
        headers: { 'x-forwarded-for': ip, 'content-type': 'application/json' },
        body: '{"redirect_uris":[]}',
      })
    ).status
  const admitted: number[] = []
  for (let subscriber = 0; subscriber < 6; subscriber += 1) {
    let count = 0
    while ((await ask(`2001:db8:${address}:${subscriber}::1`)) !== 429) count += 1
    admitted.push(count)
  }
  expect(admitted[0]).toBeGreaterThanOrEqual(each)
  expect(admitted.reduce((sum, count) => sum + count)).toBeLessThan(each * 5)
  expect(await ask(`2001:db8:a${address}::1`)).not.toBe(429)
})

test('429: one owner behind many addresses reads no more documents of clients than a network may', async () => {
  const statusFrom = async (ip: string) => {
    const query = new URLSearchParams({ client_id: `https://${randomBytes(8).toString('hex')}.example/client.json` })
    return (await fetch(`${base}/oauth/authorize?${query}`, { headers: { cookie, 'x-forwarded-for': ip } })).status
  }
  const admitted: number[] = []
  for (let subscriber = 0; subscriber < 6; subscriber += 1) {
    let count = 0
    while ((await statusFrom(`2001:db8:${address}:${subscriber}::1`)) !== 429) count += 1
    admitted.push(count)
  }
  expect(admitted[0]).toBeGreaterThanOrEqual(20)
  expect(admitted.reduce((sum, count) => sum + count)).toBeLessThan(100)
  expect(await statusFrom(`2001:db8:a${address}::1`)).not.toBe(429)
})

test('429: a session that is not examined is not said to have ended, on its pages and for its forms', async () => {
  const owner = await edge.signIn(11)
  const [name = '', token = ''] = owner.split('=')
  for (let host = 0; host < 40; host += 1) {
    const headers = { 'x-forwarded-for': `198.51.101.${host}`, cookie: `${name}=${dead(token.slice(0, 12))}` }
    await (await fetch(`${base}/account`, { headers })).text()
  }
  const headers = { 'x-forwarded-for': '198.51.101.77', cookie: owner, origin: base }
  for (const asked of [{ method: 'GET' }, { method: 'POST', body: new URLSearchParams({ do: 'sign-out' }) }]) {
    const answer = await fetch(`${base}/account`, { headers, ...asked })
    const html = await answer.text()
    expect(answer.status, html).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(html).toContain('You may still be signed in.')
    expect(html).not.toContain('You are no longer signed in')
  }
  const elsewhere = { 'x-forwarded-for': '203.0.113.9', cookie: owner }
  expect(await (await fetch(`${base}/account`, { headers: elsewhere })).text()).toContain('You are signed in as')
})
