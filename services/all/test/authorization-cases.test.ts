import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Granted, grantedBy, registeredFor } from './oauth-grants.ts'
import { type OauthStage, openOauthStage, wayBack } from './oauth-stage.ts'

/**
 * Known mistakes of other authorization servers, as requests over HTTP. Cases without HTTP are in the oauth service:
 * authorization-code, clients and device-grant.
 */
let stage: OauthStage
let kept: Granted

beforeAll(async () => {
  stage = await openOauthStage(inject('postgresUrl'))
  kept = await grantedBy(stage, await registeredFor(stage, 'client_secret_basic'))
})
afterAll(() => stage.close())

type Answered = { readonly status: number; readonly error?: string; readonly challenge?: RegExp | null }

const FORM = 'application/x-www-form-urlencoded'
const form = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(stage.base + path, { method: 'POST', body, headers: { 'content-type': FORM, ...headers } })
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(stage.base + path, { headers, redirect: 'manual' })
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })
const signedIn = () => ({ cookie: stage.cookie, origin: stage.base })
const end = (path: string) => fetch(stage.base + path, { method: 'DELETE', headers: signedIn() })
const own = () => basic(kept.client.id, kept.client.secret)

const JSON_BODY = { body: '{}', headers: { 'content-type': 'application/json', ...bearer('x') } }
const TOKEN = '/oauth/token'
const REFRESH = 'grant_type=refresh_token'
const BASIC = /^Basic realm="callboard"/
const INVALID_TOKEN = /^Bearer .*error="invalid_token"/

test.each<[string, () => Promise<Response>, Answered]>([
  ['GET at the token endpoint', () => get(TOKEN), { status: 405 }],
  [
    'a list of media types',
    () => form(TOKEN, REFRESH, { 'content-type': `${FORM}, application/json` }),
    { status: 415 },
  ],
  ['no media type', () => form(TOKEN, REFRESH, { 'content-type': '' }), { status: 415 }],
  ['no grant type', () => form(TOKEN, 'code=x', own()), { status: 400, error: 'invalid_request' }],
  ['an empty grant type', () => form(TOKEN, 'grant_type=', own()), { status: 400, error: 'invalid_request' }],
  ['an unknown grant type', () => form(TOKEN, 'grant_type=x', own()), { status: 400, error: 'unsupported_grant_type' }],
  ['implicit', () => form(TOKEN, 'grant_type=implicit', own()), { status: 400, error: 'unsupported_grant_type' }],
  ['a grant type twice', () => form(TOKEN, `${REFRESH}&${REFRESH}`), { status: 400, error: 'invalid_request' }],
  ['a code twice', () => form(TOKEN, 'grant_type=authorization_code&code=a&code=a'), { status: 400 }],
  ['a parameter that is too long', () => form(TOKEN, `${REFRESH}&refresh_token=${'x'.repeat(3_000)}`), { status: 400 }],
  ['NUL in every parameter', () => form(TOKEN, `${REFRESH}&client_id=%00&refresh_token=%00`), { status: 400 }],
  ['bytes that are no UTF-8', () => form(TOKEN, `${REFRESH}&client_id=%ff%fe`), { status: 401 }],
  [
    'another secret in the header',
    () => form(TOKEN, REFRESH, basic(kept.client.id, 'x')),
    { status: 401, error: 'invalid_client', challenge: BASIC },
  ],
  [
    'an empty secret of a client that has one, in the header',
    () => form(TOKEN, REFRESH, basic(kept.client.id, '')),
    { status: 401, error: 'invalid_client', challenge: BASIC },
  ],
  [
    'an empty secret of a client that has one, in the body',
    () => form(TOKEN, `${REFRESH}&client_id=${kept.client.id}&client_secret=`),
    { status: 401, error: 'invalid_client', challenge: null },
  ],
  [
    'an access token as a refresh token',
    () => form(TOKEN, `${REFRESH}&refresh_token=${kept.access}`, own()),
    { status: 400, error: 'invalid_grant' },
  ],
  [
    'a refresh token as a code',
    () => form(TOKEN, `grant_type=authorization_code&code=${kept.refresh}&code_verifier=x`, own()),
    { status: 400, error: 'invalid_grant' },
  ],
  ['a revocation of nothing', () => form('/oauth/revoke', '', own()), { status: 400, error: 'invalid_request' }],
  [
    'a revocation by a client that does not prove itself',
    () => form('/oauth/revoke', `token=${kept.refresh}`, basic(kept.client.id, 'x')),
    { status: 401, error: 'invalid_client', challenge: BASIC },
  ],
  [
    'a refresh token as a bearer',
    () => get('/api/call/listings/mine', bearer(kept.refresh)),
    { status: 401, challenge: INVALID_TOKEN },
  ],
  [
    'a bearer in the query',
    () => get(`/api/call/listings/mine?access_token=${kept.access}`),
    { status: 401, challenge: /^(?!.*error=)Bearer / },
  ],
  [
    'NUL as a client id at the consent page',
    () => get('/oauth/authorize?client_id=%00', { cookie: stage.cookie }),
    { status: 400 },
  ],
  ['NUL as a client to read', () => get('/oauth/register/%00', bearer('x')), { status: 400 }],
  ['NUL in the label of a key', () => stage.post('/api/keys', { label: 'a\0b' }, signedIn()), { status: 400 }],
  ['NUL as a key to end', () => end('/api/keys/%00'), { status: 400, error: 'invalid_request' }],
  ['NUL as a session to end', () => end('/api/auth/sessions/%00'), { status: 400, error: 'invalid_request' }],
  [
    'NUL as a client to change',
    () => fetch(`${stage.base}/oauth/register/%00`, { method: 'PUT', ...JSON_BODY }),
    { status: 400 },
  ],
])('is refused: %s', async (_what, request, { status, error, challenge }) => {
  const answer = await request()
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBeNull()
  expect(answer.headers.get('cache-control')).toBe('no-store')
  if (error) expect(await answer.json()).toMatchObject({ error })
  if (challenge) expect(answer.headers.get('www-authenticate')).toMatch(challenge)
  if (challenge === null) expect(answer.headers.get('www-authenticate')).toBeNull()
})

test('none of these requests invalidates the tokens that it used', async () => {
  expect(await stage.callerOf(kept.access)).toBeDefined()
  const answer = await form(TOKEN, `${REFRESH}&refresh_token=${kept.refresh}`, own())
  expect(answer.status).toBe(200)
})

describe('a refresh token', () => {
  test('invalid_grant: presented by another client; it stays valid for its own', async () => {
    const [{ client, refresh }, other] = [
      await grantedBy(stage, await registeredFor(stage, 'none')),
      await registeredFor(stage, 'none'),
    ]
    const by = (id: string) => form(TOKEN, `${REFRESH}&refresh_token=${refresh}&client_id=${id}`)
    const stolen = await by(other.id)
    expect(stolen.status).toBe(400)
    expect(await stolen.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await by(client.id)).status).toBe(200)
  })

  test.each([
    ['invalid_scope', 'scope=call.publish'],
    ['invalid_target', 'resource=https%3A%2F%2Felsewhere.example'],
  ])('%s: does not consume the token', async (error, more) => {
    const { client, refresh } = await grantedBy(stage, await registeredFor(stage, 'none'))
    const ask = (also: string) => form(TOKEN, `${REFRESH}&refresh_token=${refresh}&client_id=${client.id}&${also}`)
    expect(await (await ask(more)).json()).toMatchObject({ error })
    expect((await ask('')).status).toBe(200)
  })
})

describe('a revocation', () => {
  test.each([
    ['an access token', 'a refresh token', 'access', 'refresh_token'],
    ['a refresh token', 'an access token', 'refresh', 'access_token'],
    ['an access token', 'something unknown', 'access', 'saml2'],
  ] as const)('of %s that is hinted to be %s ends it: 200 and {}', async (_what, _said, kind, hint) => {
    const granted = await grantedBy(stage, await registeredFor(stage, 'none'))
    const body = `token=${granted[kind]}&token_type_hint=${hint}&client_id=${granted.client.id}`
    const answer = await form('/oauth/revoke', body)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await answer.json()).toEqual({})
    expect(await stage.callerOf(granted.access)).toBeUndefined()
  })

  test('of an unknown token succeeds: 200 and {}', async () => {
    const answer = await form('/oauth/revoke', 'token=nonsense')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({})
  })
})

test('a secret is accepted in header and body, whichever method the client registered', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    const { client, refresh } = await grantedBy(stage, await registeredFor(stage, method))
    const { id, secret } = client
    const inBody = await form(TOKEN, `${REFRESH}&refresh_token=${refresh}&client_id=${id}&client_secret=${secret}`)
    const { refresh_token: next } = (await inBody.json()) as { refresh_token: string }
    expect(next).toBeDefined()
    expect((await form(TOKEN, `${REFRESH}&refresh_token=${next}`, basic(id, secret))).status).toBe(200)
  }
})

test('a code stays valid after failed client authentication, and is spent by a successful one', async () => {
  const client = await registeredFor(stage, 'client_secret_basic')
  const { body } = await client.code(stage)
  expect((await form(TOKEN, body)).status).toBe(401)
  expect((await form(TOKEN, body, basic(client.id, 'x'))).status).toBe(401)
  expect((await form(TOKEN, body, basic(client.id, client.secret))).status).toBe(200)
  const again = await form(TOKEN, body, basic(client.id, client.secret))
  expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
})

describe('an authorization request', () => {
  const asking = async (more: Record<string, string>) => (await registeredFor(stage, 'none')).asking(stage, more).url

  test('with parameters of other protocols is shown and ignores them: prompt=none spares no click', async () => {
    const answer = await stage.open(await asking({ nonce: 'n', prompt: 'none', display: 'page', max_age: '0' }))
    expect(answer.status).toBe(200)
  })

  test.each([
    ['invalid_request', { code_challenge_method: 's256' }],
    ['invalid_request', { response_mode: 'form_post' }],
    ['unsupported_response_type', { response_type: 'none' }],
    ['invalid_target', { resource: 'nonsense' }],
    ['invalid_scope', { scope: 'everything' }],
  ])('%s: reaches a client without a grant only by a click, with state and iss, for %j', async (error, more) => {
    const answer = await stage.open(await asking(more as Record<string, string>))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    const { searchParams } = wayBack(await answer.text())
    expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: 'kept', iss: stage.base })
  })

  test('reports errors and a denial at once to a client that the owner has granted access', async () => {
    const client = await registeredFor(stage, 'none')
    await grantedBy(stage, client)
    const wrong = await stage.open(client.asking(stage, { scope: 'everything' }).url)
    const denied = await stage.submit(client.asking(stage, {}).url, [['decision', 'deny']])
    for (const [answer, error] of [
      [wrong, 'invalid_scope'],
      [denied, 'access_denied'],
    ] as const) {
      expect(answer.status).toBe(303)
      const { searchParams } = new URL(answer.headers.get('location') ?? '')
      expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: 'kept', iss: stage.base })
    }
  })

  test('415: is decided by a form post only', async () => {
    const answer = await stage.post(
      '/oauth/authorize',
      { decision: 'approve' },
      { cookie: stage.cookie, origin: stage.base },
    )
    expect(answer.status).toBe(415)
  })
})
