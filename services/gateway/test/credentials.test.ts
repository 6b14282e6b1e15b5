import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { agentsStandIn } from './agents-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

const stand = agentsStandIn()
let edge: Edge
let base: string
let metadata: string
let agent: string
let publisher: string
let cookie: string
let key: string

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [stand.module] })
  base = edge.base
  metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource"`
  agent = (await edge.link(3, 1, ['mcp:call'])).access_token
  publisher = (await edge.link(4, 1, ['call.publish'])).access_token
  cookie = await edge.signIn(1)
  key = (await edge.newKey(cookie)).key
})
afterAll(() => edge.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers })
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })
const challenge = (answer: Response) => answer.headers.get('www-authenticate')

/** No listings service runs here: an admitted caller gets 503. */
const LET_IN = 503

describe('a bearer route', () => {
  test('accepts an access token that has its scope, and an API key, which has no scopes', async () => {
    expect((await get('/api/call/listings/mine', bearer(publisher))).status).toBe(LET_IN)
    expect((await get('/api/call/listings/mine', bearer(key))).status).toBe(LET_IN)
    expect((await get('/api/call/listings/mine', { authorization: `bearer ${publisher}` })).status).toBe(LET_IN)
  })

  test('accepts the console’s token, whose client is not an agent', async () => {
    const made = await fetch(`${base}/api/auth/console-token`, { method: 'POST', headers: { cookie, origin: base } })
    const { access_token: token } = (await made.json()) as { access_token: string }
    expect((await get('/api/call/listings/mine', bearer(token))).status).toBe(LET_IN)
    expect((await get('/api/agents/self', bearer(token))).status).toBe(401)
  })

  test('403 insufficient_scope: an access token without its scope; the challenge names the scope and its place', async () => {
    const answer = await get('/api/call/listings/mine', bearer(agent))
    expect(answer.status).toBe(403)
    expect(challenge(answer)).toBe(
      'Bearer realm="callboard", error="insufficient_scope", ' +
        `error_description="The access token lacks the scope of this route.", scope="call.publish", ${metadata}`,
    )
    expect(await answer.json()).toMatchObject({ error: 'insufficient_scope' })
  })

  test.each([
    ['no credential', {}],
    ['another scheme', { authorization: 'Basic abc' }],
  ])('401 unauthorized: %s is challenged without an error', async (_what, headers) => {
    const answer = await get('/api/call/listings/mine', headers as Record<string, string>)
    expect(answer.status).toBe(401)
    expect(challenge(answer)).toBe(`Bearer realm="callboard", ${metadata}`)
  })

  test.each([
    ['unknown', 'Bearer at_nonsense'],
    ['malformed', 'Bearer a b'],
    ['empty', 'Bearer '],
    ['too long', `Bearer ${'a'.repeat(513)}`],
  ])('401 unauthorized: a bearer that is %s is an invalid_token', async (_what, authorization) => {
    const answer = await get('/api/call/listings/mine', { authorization })
    expect(answer.status).toBe(401)
    expect(challenge(answer)).toMatch(/^Bearer realm="callboard", error="invalid_token", error_description="[^"\\]+", /)
    expect(challenge(answer)).toContain(metadata)
  })
})

describe('an agent’s route', () => {
  test('accepts an agent’s access token of any scope', async () => {
    for (const token of [agent, publisher]) expect((await get('/api/agents/self', bearer(token))).status).toBe(200)
  })

  test('401 unauthorized: an API key is an invalid_token there, and a session cookie is not a credential', async () => {
    const byKey = await get('/api/agents/self', bearer(key))
    expect(byKey.status).toBe(401)
    expect(challenge(byKey)).toContain('error="invalid_token"')
    const byCookie = await get('/api/agents/self', { cookie })
    expect(byCookie.status).toBe(401)
    expect(challenge(byCookie)).toBe(`Bearer realm="callboard", ${metadata}`)
  })

  test('403 insufficient_scope: when it needs a scope', async () => {
    const answer = await get('/api/agents/self/router', bearer(agent))
    expect(answer.status).toBe(403)
    expect(challenge(answer)).toContain('scope="router.use"')
  })

  test('401 unauthorized: from the answer to a revocation on', async () => {
    const { access_token: token } = await edge.link(5, 1, ['mcp:call'])
    expect((await get('/api/agents/self', bearer(token))).status).toBe(200)
    const revoked = await fetch(`${base}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token }) })
    expect(revoked.status).toBe(200)
    expect(await revoked.json()).toEqual({})
    expect((await get('/api/agents/self', bearer(token))).status).toBe(401)
  })
})

test('401 unauthorized: managing a client’s registration requires its token, and challenges (RFC 7592)', async () => {
  const path = '/oauth/register/nobody?registration_access_token=x'
  expect((await get(path)).status, 'what the edge gives is not taken from the query').toBe(401)
  expect(challenge(await get('/oauth/register/nobody'))).toBe(`Bearer realm="callboard", ${metadata}`)
  const worthless = await get('/oauth/register/nobody', bearer('rat_nonsense'))
  expect(worthless.status).toBe(401)
  expect(challenge(worthless)).toContain('error="invalid_token"')
})

describe('a route where a bearer is optional', () => {
  const ask = async (headers: Record<string, string>, more: object = {}) => {
    const body = JSON.stringify({ agent_message: 'm', agent_signature: '0x00', label: 'a', ...more })
    const answer = await fetch(`${base}/oauth/device_authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return { answer, asked: stand.asked.at(-1) }
  }

  test('identifies a good one, and treats a missing or a bad one as none', async () => {
    expect((await ask(bearer(agent))).asked?.caller).toMatchObject({ kind: 'agent', scopes: ['mcp:call'] })
    for (const headers of [{}, bearer('at_nonsense')]) {
      const { answer, asked } = await ask(headers)
      expect(answer.status).toBe(200)
      expect(asked?.caller).toEqual({ kind: 'anonymous' })
    }
  })

  test('the requester is whom the edge sees, whatever the client says', async () => {
    const claimed = { requester: { address: '203.0.113.7', userAgent: 'a bank' } }
    const { asked } = await ask({ 'user-agent': 'x'.repeat(300) }, claimed)
    expect(asked?.input).toMatchObject({ requester: { address: '127.0.0.1', userAgent: 'x'.repeat(256) } })
    expect((await ask({ 'user-agent': '' })).asked?.input).toMatchObject({ requester: { userAgent: null } })
  })

  test('401 invalid_agent_signature: has no challenge, and is ASCII without double quotes', async () => {
    const { answer } = await ask(bearer('at_nonsense'), { agent_message: 'bad' })
    expect(answer.status).toBe(401)
    expect(challenge(answer)).toBeNull()
    expect(await answer.json()).toEqual({
      error: 'invalid_agent_signature',
      error_description: "The 'message' is not the one to sign ? 'sorry'.",
    })
  })
})

test('an owner can end a credential however many requests it sends', async () => {
  const [ofOwner, given] = [await edge.signIn(6), (await edge.link(7, 6, ['mcp:call'])).access_token]
  const { id, key: own } = await edge.newKey(ofOwner)
  let answer = await get('/api/call/postings/mine', bearer(given))
  while (answer.status !== 429) answer = await get('/api/call/postings/mine', bearer(given))
  expect((await get('/api/call/postings/mine', bearer(own))).status).toBe(429)
  const ended = await fetch(`${base}/api/keys/${id}`, { method: 'DELETE', headers: { cookie: ofOwner, origin: base } })
  expect(ended.status).toBe(204)
})
