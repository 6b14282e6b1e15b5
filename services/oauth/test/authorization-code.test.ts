import { type InputOf, oauth as operations, type Scope } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { isoTime, isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_URL, goodRequest, newProof, owner, queryOf, SITE, Stage, session } from './stage.ts'

let stage: Stage
let clientId: string
beforeAll(async () => {
  stage = await Stage.open()
  ;({ client_id: clientId } = await stage.register({ client_name: 'A client' }))
})
afterAll(() => stage.close())

type TokenInput = Partial<InputOf<typeof operations.token>>

const parametersOf = (redirectTo: string) => Object.fromEntries(new URL(redirectTo).searchParams)

describe('an authorization request', () => {
  test('is shown to the owner: who claims to ask, for what, and where the answer goes', async () => {
    expect(await stage.ask(goodRequest(clientId))).toEqual({
      request: {
        client: { id: clientId, name: 'A client', documentHost: null },
        redirect: { host: 'client.example', formAction: 'https://client.example', to: 'site' },
        scopes: ['mcp:call', 'router.use'],
        audience: BASE_URL,
        lifetimes: { accessTokenSeconds: 3_600, unusedDays: 30, mostDays: 180 },
        allowedBefore: false,
      },
    })
  })

  test.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:50123/cb', '127.0.0.1:50123', 'http://127.0.0.1:50123', 'loopback'],
    ['http://[::1]:1/cb', 'http://[::1]:50123/cb', '[::1]:50123', 'http:', 'loopback'],
    ['http://localhost:3000/cb', 'http://localhost/cb', 'localhost', 'http://localhost', 'loopback'],
    ['com.example.app:/cb', 'com.example.app:/cb', 'com.example.app', 'com.example.app:', 'program'],
  ])(
    'is answered at the requested URI: %s registered, %s asked',
    async (registered, redirect_uri, host, formAction, to) => {
      const { client_id } = await stage.register({ redirect_uris: [registered] })
      const asked = { ...goodRequest(client_id), redirect_uri }
      expect(await stage.ask(asked)).toMatchObject({ request: { redirect: { host, formAction, to } } })
      const { redirectTo } = granted(await stage.decide(asked, { verdict: 'deny' }))
      expect(redirectTo.startsWith(`${redirect_uri}?error=access_denied&`)).toBe(true)
    },
  )

  test('without a redirect URI goes to the only registered one', async () => {
    const asked = { ...goodRequest(clientId), redirect_uri: undefined }
    expect(await stage.ask(asked)).toMatchObject({ request: { redirect: { host: 'client.example' } } })
  })

  test.each([
    ['nothing at all', () => ''],
    ['an unknown client', () => queryOf(goodRequest('client_unknown'))],
    ['an agent', () => queryOf(goodRequest('agent_0x70997970c51812dc3a010c7d01b50e0d17dc79c8'))],
    ['a client named twice', () => `${queryOf(goodRequest(clientId))}&client_id=${clientId}`],
    ['two redirect URIs', () => `${queryOf(goodRequest(clientId))}&redirect_uri=${encodeURIComponent(SITE)}`],
    ...[
      'https://evil.example/callback',
      'https://client.example/callback/',
      'https://client.example/callback?more=1',
      'https://client.example/CALLBACK',
      'https://client.example:8443/callback',
      'https://client.example/callback/../callback',
      'http://client.example/callback',
      'https://client.example.evil.example/callback',
      'https://client.example@evil.example/callback',
      'http://127.0.0.1/callback',
      'not a uri',
    ].map(
      (redirect_uri) =>
        [redirect_uri, () => queryOf({ ...goodRequest(clientId), redirect_uri })] as [string, () => string],
    ),
  ])('is never answered with a redirect: %s', async (_what, query) => {
    expect(await stage.ask(query())).toMatchObject({ refusal: 'invalid_request', field: expect.any(String) })
    const verdicts = [{ verdict: 'deny' as const }, { verdict: 'approve' as const, scopes: ['mcp:call' as const] }]
    for (const verdict of verdicts) {
      expect(await stage.decide(query(), verdict)).toMatchObject({ refusal: 'invalid_request' })
    }
  })

  test.each([
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/other'],
    ['http://127.0.0.1:1/cb', 'http://localhost:1/cb'],
    ['http://127.0.0.1:1/cb', 'https://127.0.0.1:1/cb'],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:1@evil.example/cb'],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:99999/cb'],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb#'],
  ])('is refused when the URIs differ: %s registered, %s asked', async (registered, redirect_uri) => {
    const { client_id } = await stage.register({ redirect_uris: [registered] })
    expect(await stage.ask({ ...goodRequest(client_id), redirect_uri })).toMatchObject({ refusal: 'invalid_request' })
  })

  test('without a redirect URI is refused when several are registered', async () => {
    const { client_id } = await stage.register({ redirect_uris: [SITE, `${SITE}/two`] })
    expect(await stage.ask({ ...goodRequest(client_id), redirect_uri: undefined })).toMatchObject({
      refusal: 'invalid_request',
    })
  })

  test.each([
    ['invalid_request', { response_type: undefined }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge: `${'a'.repeat(42)}=` }],
    ['invalid_scope', { scope: 'everything' }],
    ['invalid_scope', { scope: ' ' }],
    ['invalid_target', { resource: 'https://elsewhere.example' }],
    ['invalid_target', { resource: `${BASE_URL}/mcp#part` }],
    ['invalid_target', { resource: `${BASE_URL}/other` }],
  ])('%s is returned to the client, with state and iss: %j', async (error, more) => {
    const asked = { ...goodRequest(clientId), ...more }
    const { redirectTo } = granted(await stage.ask(asked)) as { redirectTo: string }
    expect(redirectTo.startsWith(`${SITE}?`)).toBe(true)
    expect(parametersOf(redirectTo)).toEqual({
      ...{ error, error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/) },
      ...{ state: 'a state/with=signs&more', iss: BASE_URL },
    })
    expect(await stage.decide(asked, { verdict: 'approve', scopes: ['mcp:call'] })).toMatchObject({
      ...{ redirectTo, granted: false, allowedBefore: false, redirect: { host: 'client.example' } },
    })
  })

  test('invalid_request: a parameter given twice', async () => {
    const { redirectTo } = granted(await stage.ask(`${queryOf(goodRequest(clientId))}&scope=mcp%3Acall`)) as {
      redirectTo: string
    }
    expect(parametersOf(redirectTo)).toMatchObject({ error: 'invalid_request' })
  })

  test('invalid_scope: more than the client is registered for; without a scope, it asks for everything registered', async () => {
    const { client_id } = await stage.register({ scope: 'mcp:call' })
    const wide = granted(await stage.ask(goodRequest(client_id))) as { redirectTo: string }
    expect(parametersOf(wide.redirectTo)).toMatchObject({ error: 'invalid_scope' })
    expect(await stage.ask({ ...goodRequest(client_id), scope: undefined })).toMatchObject({
      request: { scopes: ['mcp:call'] },
    })
  })

  test('is only for owners in a browser', async () => {
    for (const caller of [undefined, { kind: 'api_key', owner, keyId: 'k' }] as const) {
      const meta = caller ? { caller } : {}
      const query = queryOf(goodRequest(clientId))
      const decision = { verdict: 'approve' as const, scopes: ['mcp:call' as const] }
      expect(await stage.call(operations.readAuthorization, { query }, meta)).toMatchObject({ refusal: 'unauthorized' })
      expect(await stage.call(operations.decideAuthorization, { query, decision }, meta)).toMatchObject({
        refusal: 'unauthorized',
      })
    }
  })
})

describe('a decision that needs a fresh signature', () => {
  const QUARTER_MS = 15 * 60_000
  const decide = (scopes: Scope[], signedAgoMs: number | undefined) => {
    const query = queryOf({ ...goodRequest(clientId), scope: 'mcp:call router.use call.publish' })
    const { signedInAt: _, ...unsigned } = session
    const signedInAt = signedAgoMs === undefined ? undefined : isoTime(stage.clock.now() - signedAgoMs)
    const caller = signedInAt === undefined ? unsigned : { ...session, signedInAt }
    return stage.call(operations.decideAuthorization, { query, decision: { verdict: 'approve', scopes } }, { caller })
  }

  test('403 fresh_signature_required: router.use too, which has no limit except for an agent', async () => {
    expect(await decide(['mcp:call', 'router.use'], QUARTER_MS + 1)).toMatchObject({
      refusal: 'fresh_signature_required',
    })
    expect(isRefusal(await decide(['mcp:call', 'router.use'], QUARTER_MS))).toBe(false)
  })

  test('403 fresh_signature_required: call.publish, when the wallet signed more than a quarter of an hour ago', async () => {
    for (const ago of [QUARTER_MS + 1, undefined]) {
      expect(await decide(['mcp:call', 'call.publish'], ago)).toMatchObject({ refusal: 'fresh_signature_required' })
    }
    expect(isRefusal(await decide(['mcp:call', 'call.publish'], QUARTER_MS))).toBe(false)
  })

  test('without either scope, an old signature is enough', async () => {
    for (const ago of [QUARTER_MS + 1, undefined]) expect(isRefusal(await decide(['mcp:call'], ago))).toBe(false)
  })
})

describe('the decision', () => {
  test('approved: code, state and iss', async () => {
    const { redirectTo } = granted(
      await stage.decide(goodRequest(clientId), { verdict: 'approve', scopes: ['mcp:call'] }),
    )
    expect(parametersOf(redirectTo)).toEqual({
      code: expect.stringMatching(/^cb_code_.{43}$/),
      state: 'a state/with=signs&more',
      iss: BASE_URL,
    })
  })

  test('says whether this owner has a live grant for the client: only then may a browser follow without a click', async () => {
    const client = await stage.register()
    const wrong = { ...goodRequest(client.client_id), scope: 'everything' }
    const all = async () => [
      await stage.ask(wrong),
      await stage.decide(wrong, { verdict: 'deny' }),
      await stage.decide(goodRequest(client.client_id), { verdict: 'deny' }),
    ]
    for (const answer of await all()) expect(answer).toMatchObject({ allowedBefore: false })
    granted(await stage.token(await stage.approved(client, {}, ['mcp:call'])))
    for (const answer of await all()) expect(answer).toMatchObject({ allowedBefore: true })
    await stage.database.query('update oauth.token_family set revoked_at = now()')
    for (const answer of await all()) expect(answer).toMatchObject({ allowedBefore: false })
  })

  test('denied: access_denied, state and iss; no state when none was sent', async () => {
    const asked = { ...goodRequest(clientId), state: undefined }
    const { redirectTo } = granted(await stage.decide(asked, { verdict: 'deny' }))
    expect(parametersOf(redirectTo)).toEqual({
      ...{ error: 'access_denied', error_description: expect.any(String), iss: BASE_URL },
    })
  })

  test('keeps the query of a registered redirect URI as it is', async () => {
    const uri = 'https://client.example/cb?tenant=a%20b'
    const { client_id } = await stage.register({ redirect_uris: [uri] })
    const asked = { ...goodRequest(client_id), redirect_uri: uri }
    const { redirectTo } = granted(await stage.decide(asked, { verdict: 'deny' }))
    expect(redirectTo.startsWith(`${uri}&error=`)).toBe(true)
  })

  test('invalid_scope: the owner cannot grant a scope that was not requested', async () => {
    expect(await stage.decide(goodRequest(clientId), { verdict: 'approve', scopes: ['call.publish'] })).toMatchObject({
      refusal: 'invalid_scope',
    })
  })

  test('stores a code only as SHA-256', async () => {
    const { code } = await stage.approved(await stage.register())
    expect(JSON.stringify(await stage.database.query('select * from oauth.authorization_code'))).not.toContain(code)
  })
})

describe('redeeming a code', () => {
  test('gives client tokens with the scopes that the owner granted', async () => {
    const client = await stage.register()
    const tokens = granted(await stage.token(await stage.approved(client, {}, ['mcp:call'])))
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^cb_access_/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^cb_refresh_/),
      scope: 'mcp:call',
      owner_wallet: owner,
    })
    expect(await stage.callerOf(tokens.access_token)).toEqual({
      ...{ kind: 'client', owner, clientId: client.client_id, scopes: ['mcp:call'], audience: BASE_URL },
      familyId: expect.any(String),
    })
  })

  test('gives no refresh token to a client that is not registered for it', async () => {
    const client = await stage.register({ grant_types: ['authorization_code'] })
    expect(granted(await stage.token(await stage.approved(client)))).not.toHaveProperty('refresh_token')
  })

  test('works without the redirect URI, because the verifier binds the request', async () => {
    const code = await stage.approved(await stage.register())
    expect(await stage.token({ ...code, redirect_uri: undefined })).toMatchObject({ token_type: 'Bearer' })
  })

  test('works for a loopback port that was never registered', async () => {
    const client = await stage.register({ redirect_uris: ['http://127.0.0.1/cb'] })
    const code = await stage.approved(client, { redirect_uri: 'http://127.0.0.1:41234/cb' })
    expect(await stage.token({ ...code, redirect_uri: 'http://127.0.0.1/cb' })).toMatchObject({
      refusal: 'invalid_grant',
    })
    expect(await stage.token(code)).toMatchObject({ token_type: 'Bearer' })
  })

  test.each<[string, string, () => TokenInput | Promise<TokenInput>]>([
    ['invalid_request', 'no code', () => ({ code: undefined })],
    ['invalid_request', 'no verifier', () => ({ code_verifier: undefined })],
    ['invalid_request', 'no client', () => ({ client_id: undefined })],
    ['invalid_grant', 'an unknown code', () => ({ code: 'cb_code_unknown' })],
    ['invalid_grant', 'another verifier', () => ({ code_verifier: newProof().verifier })],
    ['invalid_grant', 'a verifier that is too short', () => ({ code_verifier: 'short' })],
    ['invalid_grant', 'another redirect URI', () => ({ redirect_uri: `${SITE}/` })],
    ['invalid_grant', 'another client', async () => ({ client_id: (await stage.register()).client_id })],
    ['invalid_target', 'a resource that is not ours', () => ({ resource: 'https://elsewhere.example' })],
  ])('%s with %s, which neither spoils the code nor ends its tokens', async (refusal, _what, more) => {
    const code = await stage.approved(await stage.register())
    const spoiled = { ...code, ...(await more()) }
    expect(await stage.token(spoiled)).toMatchObject({ refusal })
    const tokens = granted(await stage.token(code))
    expect(await stage.token(spoiled)).toMatchObject({ refusal })
    expect(await stage.callerOf(tokens.access_token)).toBeDefined()
  })

  test('invalid_grant: the challenge itself is not a verifier', async () => {
    const { verifier, challenge } = newProof()
    const asked = goodRequest(clientId, challenge)
    const { redirectTo } = granted(await stage.decide(asked, { verdict: 'approve', scopes: ['mcp:call'] }))
    const code = new URL(redirectTo).searchParams.get('code') ?? ''
    const input = { client_id: clientId, code, redirect_uri: SITE }
    expect(await stage.token({ ...input, code_verifier: challenge })).toMatchObject({ refusal: 'invalid_grant' })
    expect(await stage.token({ ...input, code_verifier: verifier })).toMatchObject({ token_type: 'Bearer' })
  })

  test('invalid_grant: after a minute', async () => {
    const client = await stage.register()
    const [early, late] = [await stage.approved(client), await stage.approved(client)]
    stage.clock.advance(59_999)
    expect(await stage.token(early)).toMatchObject({ token_type: 'Bearer' })
    stage.clock.advance(1)
    expect(await stage.token(late)).toMatchObject({ refusal: 'invalid_grant' })
  })

  test('gives tokens to exactly one of several parallel redemptions', async () => {
    const code = await stage.approved(await stage.register())
    const answers = await Promise.all(Array.from({ length: 12 }, () => stage.token(code)))
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1)
    expect(answers.flatMap((answer) => (isRefusal(answer) ? answer.refusal : []))).toEqual(
      Array(11).fill('invalid_grant'),
    )
  })

  test.each([0, 3_600_000])('a second time, with proof, ends the tokens of the first, %i ms later', async (ms) => {
    const code = await stage.approved(await stage.register())
    const first = granted(await stage.token(code))
    const { refresh_token } = granted(
      await stage.token({ client_id: code.client_id, grant_type: 'refresh_token', refresh_token: first.refresh_token }),
    )
    stage.clock.advance(ms)
    expect(await stage.token(code)).toMatchObject({ refusal: 'invalid_grant' })
    expect(await stage.callerOf(first.access_token)).toBeUndefined()
    expect(await stage.token({ client_id: code.client_id, grant_type: 'refresh_token', refresh_token })).toMatchObject({
      refusal: 'invalid_grant',
    })
  })
})

describe('the resource of a token', () => {
  const MCP = `${BASE_URL}/mcp`

  test.each([
    [undefined, undefined, BASE_URL],
    [BASE_URL, undefined, BASE_URL],
    [`${BASE_URL}/`, MCP, MCP],
    [undefined, MCP, MCP],
    [MCP, undefined, MCP],
    [MCP, `${MCP}/`, MCP],
  ])('requested %s, then %s: %s', async (atAuthorization, atToken, audience) => {
    const code = await stage.approved(await stage.register(), { resource: atAuthorization })
    const { access_token } = granted(await stage.token({ ...code, resource: atToken }))
    expect(await stage.callerOf(access_token)).toMatchObject({ audience })
  })

  test('invalid_target: a grant for one endpoint does not cover the whole, when redeemed or refreshed', async () => {
    const code = await stage.approved(await stage.register(), { resource: MCP })
    expect(await stage.token({ ...code, resource: BASE_URL })).toMatchObject({ refusal: 'invalid_target' })
    const { refresh_token } = granted(await stage.token(code))
    const again = { client_id: code.client_id, grant_type: 'refresh_token', refresh_token }
    expect(await stage.token({ ...again, resource: BASE_URL })).toMatchObject({ refusal: 'invalid_target' })
    const next = granted(await stage.token(again))
    expect(await stage.callerOf(next.access_token)).toMatchObject({ audience: MCP })
  })

  test('can be narrowed by refreshing, and the grant stays as it was', async () => {
    const code = await stage.approved(await stage.register())
    const first = granted(await stage.token(code))
    const again = { client_id: code.client_id, grant_type: 'refresh_token' }
    const narrow = granted(await stage.token({ ...again, refresh_token: first.refresh_token, resource: MCP }))
    expect(await stage.callerOf(narrow.access_token)).toMatchObject({ audience: MCP })
    const whole = granted(await stage.token({ ...again, refresh_token: narrow.refresh_token }))
    expect(await stage.callerOf(whole.access_token)).toMatchObject({ audience: BASE_URL })
  })

  test('is what covers all of them when there are several', async () => {
    const several = (...resources: string[]) => resources.map((one) => `&resource=${encodeURIComponent(one)}`).join('')
    const asked = queryOf(goodRequest(clientId))
    expect(await stage.ask(asked + several(MCP, MCP))).toMatchObject({ request: { audience: MCP } })
    expect(await stage.ask(asked + several(MCP, BASE_URL))).toMatchObject({ request: { audience: BASE_URL } })
    const { redirectTo } = granted(await stage.ask(asked + several(MCP, 'https://elsewhere.example'))) as {
      redirectTo: string
    }
    expect(parametersOf(redirectTo)).toMatchObject({ error: 'invalid_target' })
  })

  test('is what covers all of them when several are given with a code or a refresh token', async () => {
    const both = [BASE_URL, MCP]
    const code = await stage.approved(await stage.register())
    const first = granted(await stage.token({ ...code, resource: both }))
    expect(await stage.callerOf(first.access_token)).toMatchObject({ audience: BASE_URL })
    const again = { client_id: code.client_id, grant_type: 'refresh_token', refresh_token: first.refresh_token }
    for (const resource of [
      [MCP, 'https://elsewhere.example'],
      ['https://elsewhere.example', BASE_URL],
    ])
      expect(await stage.token({ ...again, resource })).toMatchObject({ refusal: 'invalid_target' })
    const next = granted(await stage.token({ ...again, resource: [MCP, `${MCP}/`] }))
    expect(await stage.callerOf(next.access_token)).toMatchObject({ audience: MCP })
    const narrow = await stage.approved(await stage.register(), { resource: MCP })
    expect(await stage.token({ ...narrow, resource: both })).toMatchObject({ refusal: 'invalid_target' })
  })
})

test('a client revokes its own tokens, but not another’s', async () => {
  const client = await stage.register({ token_endpoint_auth_method: 'client_secret_basic' })
  const { client_secret } = client
  const { access_token, refresh_token = '' } = granted(
    await stage.token({ ...(await stage.approved(client)), client_secret }),
  )
  const other = await stage.register()
  const revoke = (client_id: string, secret: string | undefined) =>
    stage.call(
      operations.revoke,
      { client_id, client_secret: secret, token: refresh_token, token_type_hint: undefined },
      { caller: session },
    )
  expect(await revoke(other.client_id, undefined)).toEqual({})
  expect(await stage.callerOf(access_token)).toBeDefined()
  expect(await revoke(client.client_id, client_secret)).toEqual({})
  expect(await stage.callerOf(access_token)).toBeUndefined()
})
