import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Replicas, type Tokens } from './replicas.ts'

const OWNER = 1
/** A request that takes longer counts as hanging. Milliseconds. */
const PATIENCE_MS = 10_000
const form = (members: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(members).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

describe.runIf(inject('natsUrl') && inject('redisUrl'))('Redis lost', () => {
  let replicas: Replicas
  let cookie: string
  let key: { id: string; key: string }
  let kept: Tokens
  /** What is revoked while Redis is unavailable. */
  let doomed: { cookie: string; key: { id: string; key: string }; agents: Tokens[] }
  let pending: { device_code: string; user_code: string; client_id: string }
  let csrf: string
  let signed: { message: string; signature: string }
  let asked: { message: string; signature: string }

  beforeAll(async () => {
    replicas = await Replicas.open(inject('postgresUrl'))
    cookie = await replicas.signIn(OWNER)
    key = await replicas.newKey(cookie)
    kept = await replicas.link(cookie, 20)
    const agents: Tokens[] = []
    for (let n = 21; n < 25; n += 1) agents.push(await replicas.link(cookie, n))
    doomed = { cookie: await replicas.signIn(OWNER), key: await replicas.newKey(cookie), agents }
    pending = await replicas.ask(30)
    const page = await fetch(`${replicas.base}/link?user_code=${pending.user_code}`, { headers: { cookie } })
    csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    signed = await replicas.signed(OWNER, 'login')
    asked = await replicas.signed(31, 'link')
    // Every gateway caches the state of these credentials.
    for (const base of replicas.gateways) {
      for (const one of [cookie, doomed.cookie]) expect(await statusOf(base, '/api/auth/session', owner(one))).toBe(200)
      for (const one of [key, doomed.key]) expect(await statusOf(base, MINE, bearer(one.key))).toBe(200)
      for (const one of [kept, ...agents]) expect(await statusOf(base, MINE, bearer(one.access_token))).toBe(200)
    }
    await replicas.stopRedis()
    await until('its absence is known everywhere', async () => {
      const answers = replicas.gateways.map((base) => ask(base, '/api/auth/siwe-nonce?purpose=login', { signal: null }))
      return (await Promise.all(answers)).every(({ status }) => status === 503)
    })
    await until('no request waits for it any more', async () => {
      const began = performance.now()
      await ask(replicas.base, '/link', owner())
      return performance.now() - began < 500
    })
  }, 120_000)
  afterAll(() => replicas?.close())

  const MINE = '/api/call/listings/mine'
  const owner = (session = cookie): RequestInit => ({ headers: { cookie: session, origin: replicas.base } })
  const bearer = (credential: string): RequestInit => ({ headers: { authorization: `Bearer ${credential}` } })
  const removing = (init: RequestInit): RequestInit => ({ ...init, method: 'DELETE' })
  const json = (body: object): RequestInit => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  const ask = (base: string, path: string, init?: RequestInit) =>
    fetch(base + path, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS), ...init })
  const statusOf = async (base: string, path: string, init?: RequestInit) => (await ask(base, path, init)).status

  /** Retries a 503, as a client does. Each replica reconnects to Redis on its own. */
  const statusSoon = (base: string, path: string, init?: RequestInit) =>
    until(`${path} at ${base} is not 503`, async () => {
      const status = await statusOf(base, path, init)
      return status !== 503 && status
    })
  const refreshing = () =>
    form({ grant_type: 'refresh_token', refresh_token: kept.refresh_token, client_id: kept.client_id })

  type Row = [what: string, path: () => string, init: () => RequestInit | undefined]

  const UNAVAILABLE: Row[] = [
    ['GET /api/auth/siwe-nonce', () => '/api/auth/siwe-nonce?purpose=login', () => undefined],
    ['POST /api/auth/session', () => '/api/auth/session', () => json(signed)],
    [
      'POST /oauth/device_authorization',
      () => '/oauth/device_authorization',
      () => form({ agent_message: asked.message, agent_signature: asked.signature, label: 'scout' }),
    ],
    [
      'POST /oauth/token, polling',
      () => '/oauth/token',
      () =>
        form({
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: pending.device_code,
          client_id: pending.client_id,
        }),
    ],
    ['POST /oauth/token, refreshing', () => '/oauth/token', () => refreshing()],
    ['POST /oauth/revoke', () => '/oauth/revoke', () => form({ token: doomed.agents[0]?.access_token ?? '' })],
    ['GET /link with a code', () => `/link?user_code=${pending.user_code}`, () => owner()],
    [
      'POST /link',
      () => '/link',
      () => {
        const decision = form({ csrf, user_code: pending.user_code, decision: 'approve', scopes: 'call.publish' })
        return { ...decision, headers: { ...decision.headers, ...owner().headers } }
      },
    ],
    ['DELETE /api/auth/session', () => '/api/auth/session', () => removing(owner(doomed.cookie))],
    ['DELETE /api/keys/:id', () => `/api/keys/${doomed.key.id}`, () => removing(owner())],
    ['DELETE /api/agents/:clientId', () => `/api/agents/${doomed.agents[1]?.client_id}`, () => removing(owner())],
    ['DELETE /api/agents/self', () => '/api/agents/self', () => removing(bearer(doomed.agents[2]?.access_token ?? ''))],
  ]

  test.each(UNAVAILABLE)('503 temporarily_unavailable with Retry-After, in time: %s', async (_what, path, init) => {
    const answer = await ask(replicas.base, path(), init())
    const body = await answer.text()
    expect(answer.status, body).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    if (answer.headers.get('content-type')?.startsWith('application/json')) {
      expect(JSON.parse(body)).toMatchObject({ error: 'temporarily_unavailable' })
    }
    expect(answer.headers.get('www-authenticate')).toBeNull()
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  const GOES_ON: [...Row, status: number][] = [
    ['GET /api/auth/session', () => '/api/auth/session', () => owner(), 200],
    ['GET /api/auth/sessions', () => '/api/auth/sessions', () => owner(), 200],
    ['GET /api/keys', () => '/api/keys', () => owner(), 200],
    ['GET /api/agents', () => '/api/agents', () => owner(), 200],
    ['GET /api/agents/self, of an agent', () => '/api/agents/self', () => bearer(kept.access_token), 200],
    ['GET /api/call/listings/mine, of an agent', () => MINE, () => bearer(kept.access_token), 200],
    ['GET /api/call/listings/mine, with an API key', () => MINE, () => bearer(key.key), 200],
    ['GET /signin', () => '/signin', () => owner(), 200],
    ['GET /link without a code', () => '/link', () => owner(), 200],
    ['GET /api/call/listings/mine, without a credential', () => MINE, () => undefined, 401],
    ['GET /api/call/listings/mine, with a worthless one', () => MINE, () => bearer('cb_access_nonsense'), 401],
    ['GET /api/auth/session, with a worthless one', () => '/api/auth/session', () => owner('callboard=nonsense'), 401],
  ]

  test.each(GOES_ON)('keeps working, in time: %s', async (_what, path, init, status) => {
    // The third gateway gets no requests meanwhile, and keeps its cache.
    for (const base of replicas.gateways.slice(0, 2)) expect(await statusOf(base, path(), init())).toBe(status)
  })

  test('once it is back what was revoked meanwhile is refused everywhere, and every other credential works', async () => {
    await replicas.startRedis()
    for (const base of replicas.gateways) {
      await until('the gateway has it back', async () => (await ask(base, '/api/auth/siwe-nonce?purpose=link')).ok)
      // No revocation was acknowledged, and none is requested again yet.
      expect(await statusSoon(base, '/api/auth/session', owner(doomed.cookie)), base).toBe(401)
      expect(await statusSoon(base, MINE, bearer(doomed.key.key)), base).toBe(401)
      for (const index of [1, 2]) {
        expect(await statusSoon(base, MINE, bearer(doomed.agents[index]?.access_token ?? '')), base).toBe(401)
      }
      expect(await statusSoon(base, '/api/auth/session', owner())).toBe(200)
      for (const one of [key.key, kept.access_token, doomed.agents[3]?.access_token ?? '']) {
        expect(await statusSoon(base, MINE, bearer(one))).toBe(200)
      }
    }
    expect(await statusSoon(replicas.base, '/oauth/token', refreshing())).toBe(200)
    await until('an owner can approve', async () => (await replicas.approve(cookie, pending.user_code)).status === 200)
    expect((await replicas.poll(pending)).status).toBe(200)
    await until('an owner can sign in', async () => (await replicas.signIn(OWNER)) !== '')
  })

  test('a revocation answered with 503 can be requested again, and is then acknowledged', async () => {
    const token = doomed.agents[0]?.access_token ?? ''
    expect(await statusSoon(replicas.base, `/api/keys/${doomed.key.id}`, removing(owner()))).toBe(204)
    expect(await statusSoon(replicas.base, `/api/agents/${doomed.agents[1]?.client_id}`, removing(owner()))).toBe(204)
    expect(await statusSoon(replicas.base, '/oauth/revoke', form({ token }))).toBe(200)
    for (const base of replicas.gateways) expect(await statusOf(base, MINE, bearer(token))).toBe(401)
  })
})
