import { createHash } from 'node:crypto'
import { agents } from '@callboard/agents'
import { agentClientId, DEVICE_CODE_GRANT, type NoncePurpose, oauth as operations } from '@callboard/contract'
import { granted, signedMessage, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

const HOUR_MS = 3_600_000
const AGENT = 3
const clientId = agentClientId(wallet(AGENT).address)
let edge: Edge

beforeAll(async () => {
  const wide = { burst: 1_000, perMinute: 1_000 }
  const RATE_LIMITS = JSON.stringify({ signIn: wide, nonce: wide, link: wide })
  edge = await startEdge(inject('postgresUrl'), { modules: [agents], env: { RATE_LIMITS } })
})
afterAll(() => edge.stop())

const post = (path: string, members: Record<string, string> | string, headers: Record<string, string> = {}) =>
  fetch(edge.base + path, {
    method: 'POST',
    body: new URLSearchParams(members).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const token = (members: Record<string, string>) => post('/oauth/token', members)
const bodyOf = async (answer: Response) => (await answer.json()) as Record<string, string>

async function refused(answer: Response, status: number, error: string) {
  const body = await bodyOf(answer)
  expect([answer.status, body.error], JSON.stringify(body)).toEqual([status, error])
  // RFC 6749 §5.2: no quotes, no backslashes, and nothing of ours beyond ASCII.
  expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('www-authenticate')).toBeNull()
}

type Spoiled = NonNullable<Parameters<typeof signedMessage>[2]>

/** An agent's request, signed with a fresh nonce for a purpose. */
async function request(spoiled: Spoiled = {}, purpose: NoncePurpose = 'link'): Promise<Record<string, string>> {
  const { nonce = '' } = await bodyOf(await fetch(`${edge.base}/api/auth/siwe-nonce?purpose=${purpose}`))
  const about = { purpose: 'link' as const, nonce, baseUrl: edge.base }
  const { message, signature } = await signedMessage(wallet(AGENT), about, spoiled)
  return { agent_message: message, agent_signature: signature, label: 'scout' }
}
const stored = async () => (await edge.database.query('select 1 from agents.link_request')).length
const moment = (fromNowMs: number) => new Date(Date.now() + fromNowMs).toISOString()

describe('POST /oauth/device_authorization: a message that is not the one to sign is refused, and nothing is stored', () => {
  test.each<[string, () => Spoiled]>([
    ['for another host', () => ({ domain: 'evil.example' })],
    ['for another port of this host', () => ({ domain: '127.0.0.1:1' })],
    ['for another origin', () => ({ uri: 'https://evil.example' })],
    ['for a chain that is not served', () => ({ chainId: 1 })],
    ['that has expired', () => ({ expirationTime: moment(-1_000) })],
    ['of the future', () => ({ issuedAt: moment(HOUR_MS) })],
    ['that is not good yet', () => ({ notBefore: moment(HOUR_MS) })],
    ['of an hour ago', () => ({ issuedAt: moment(-HOUR_MS) })],
    ['with the statement of signing in', () => ({ statement: 'Sign in to Callboard as the owner of this wallet.' })],
    ['with a nonce that was never issued', () => ({ nonce: 'abcdefgh12345678abcdefgh' })],
  ])('401 invalid_agent_signature: %s', async (_what, spoiled) => {
    const before = await stored()
    await refused(await post('/oauth/device_authorization', await request(spoiled())), 401, 'invalid_agent_signature')
    expect(await stored()).toBe(before)
  })

  test.each<NoncePurpose>(['login', 'publish', 'claim'])(
    '401 invalid_agent_signature: a nonce that was issued for %s',
    async (purpose) => {
      const before = await stored()
      const answer = await post('/oauth/device_authorization', await request({}, purpose))
      await refused(answer, 401, 'invalid_agent_signature')
      expect(await stored()).toBe(before)
    },
  )

  test('200: the message that should be signed', async () => {
    expect((await post('/oauth/device_authorization', await request())).status).toBe(200)
  })

  test('401 invalid_signature: a nonce for linking does not sign an owner in either', async () => {
    const { nonce = '' } = await bodyOf(await fetch(`${edge.base}/api/auth/siwe-nonce?purpose=link`))
    const signed = await signedMessage(wallet(AGENT), { purpose: 'login', nonce, baseUrl: edge.base })
    const answer = await fetch(`${edge.base}/api/auth/session`, {
      method: 'POST',
      body: JSON.stringify(signed),
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, (await bodyOf(answer)).error]).toEqual([401, 'invalid_signature'])
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

test.each([
  ['/oauth/token', 'grant_type=refresh_token&grant_type=refresh_token', 'grant_type'],
  ['/oauth/token', `grant_type=refresh_token&client_id=${clientId}&client_id=other`, 'client_id'],
  ['/oauth/token', 'grant_type=refresh_token&refresh_token=&refresh_token=a', 'refresh_token'],
  ['/oauth/token', 'grant_type=refresh_token&unknown=a&unknown=b', 'unknown'],
  ['/oauth/revoke', 'token=a&token=b', 'token'],
  ['/oauth/device_authorization', 'label=a&label=b', 'label'],
])('400 invalid_request: %s with %s', async (path, body, field) => {
  const answer = await post(path, body)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({
    error: 'invalid_request',
    error_description: `${field}: is given more than once`,
  })
})

test.each([
  'password',
  'client_credentials',
  'implicit',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'é"\\',
  'null',
])('400 unsupported_grant_type: %s', async (grant_type) =>
  refused(await token({ grant_type, client_id: clientId }), 400, 'unsupported_grant_type'),
)

test.each(['', 'a'.repeat(129)])('400 invalid_request: an invalid grant type', async (grant_type) => {
  await refused(await token({ grant_type, client_id: clientId }), 400, 'invalid_request')
})

describe('400 invalid_grant: a credential that was given to another client', () => {
  const other = agentClientId(wallet(4).address)

  test('a device code, which stays valid for its own client', async () => {
    const device = await bodyOf(await post('/oauth/device_authorization', await request()))
    const poll = (client_id: string) =>
      token({ grant_type: DEVICE_CODE_GRANT, device_code: device.device_code ?? '', client_id })
    await refused(await poll(other), 400, 'invalid_grant')
    await refused(await poll(clientId), 400, 'authorization_pending')
  })

  test('a refresh token, whose family continues', async () => {
    const { refresh_token = '' } = await edge.link(AGENT, 1, ['mcp:call'])
    await refused(await token({ grant_type: 'refresh_token', refresh_token, client_id: other }), 400, 'invalid_grant')
    expect((await token({ grant_type: 'refresh_token', refresh_token, client_id: clientId })).status).toBe(200)
  })

  test('an authorization code, which stays valid for its own client', async () => {
    const [own, other] = [await register(), await register()]
    const code_verifier = 'v'.repeat(43)
    const challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const code = await allowedCode(own, challenge)
    const redeem = (client_id: string, verifier = code_verifier) =>
      token({ grant_type: 'authorization_code', code, code_verifier: verifier, client_id, redirect_uri: SITE })
    await refused(await redeem(other), 400, 'invalid_grant')
    await refused(await redeem(own, 'w'.repeat(43)), 400, 'invalid_grant')
    expect((await redeem(own)).status).toBe(200)
  })
})

test('400 invalid_grant: reuse of a stolen refresh token ends every token of its family', async () => {
  const first = await edge.link(AGENT, 1, ['mcp:call'])
  const refresh = (refresh_token = '') => token({ grant_type: 'refresh_token', refresh_token, client_id: clientId })
  const second = await bodyOf(await refresh(first.refresh_token))
  const third = await bodyOf(await refresh(second.refresh_token))
  await refused(await refresh(first.refresh_token), 400, 'invalid_grant')
  await refused(await refresh(third.refresh_token), 400, 'invalid_grant')
  for (const { access_token } of [first, second, third]) {
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await fetch(`${edge.base}/api/call/listings/mine`, { headers })).status).toBe(401)
  }
})

const SITE = 'https://client.example/callback'

async function register(): Promise<string> {
  const client = granted(
    await edge.services.call(operations.register, {
      redirect_uris: [SITE],
      token_endpoint_auth_method: 'none',
    }),
  )
  return client.client_id
}

/** A code that an owner granted to a client on the page. */
async function allowedCode(client_id: string, code_challenge: string): Promise<string> {
  const cookie = await edge.signIn(1)
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri: SITE, scope: 'mcp:call' },
    ...{ code_challenge, code_challenge_method: 'S256' },
  }).toString()
  const page = await (await fetch(`${edge.base}/oauth/authorize?${query}`, { headers: { cookie } })).text()
  const answer = await fetch(`${edge.base}/oauth/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: edge.base },
    body: new URLSearchParams({
      ...{ query, csrf: /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '' },
      ...{ decision: 'approve', scopes: 'mcp:call' },
    }),
  })
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
}
