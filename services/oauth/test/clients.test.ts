import { agentClientId, DEVICE_CODE_GRANT, oauth as operations } from '@callboard/contract'
import { openDatabase } from '@callboard/store'
import { granted, wallet } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepClients } from '../src/store/client.repository.ts'
import type { OauthTables } from '../src/store/tables.ts'
import { BASE_URL, goodRequest, newProof, SITE, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())

const register = (metadata: Record<string, unknown>) => stage.call(operations.register, metadata)

describe('registering', () => {
  test('default: a confidential client for codes, with a secret that never ends', async () => {
    const client = granted(await register({ redirect_uris: [SITE] }))
    expect(client).toEqual({
      redirect_uris: [SITE],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      client_id: expect.stringMatching(/^client_/),
      client_id_issued_at: Math.floor(stage.clock.now() / 1000),
      client_secret: expect.stringMatching(/^cb_client_.{43}$/),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^cb_registration_.{43}$/),
      registration_client_uri: `${BASE_URL}/oauth/register/${client.client_id}`,
    })
  })

  test('a public client has no secret; its known metadata is returned as stored, its unknown metadata is not', async () => {
    const said = {
      redirect_uris: [SITE, 'http://127.0.0.1/cb'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'mcp:call',
      client_name: 'Some «client»',
      client_uri: 'https://client.example',
      contacts: ['ops@client.example'],
      software_id: 'some',
      software_version: '1.2',
      application_type: 'native',
    }
    const client = granted(
      await register({ ...said, logo_uri: '', tos_uri: null, software_statement: 'x', unknown: 1 }),
    )
    expect(client).toMatchObject(said)
    for (const absent of [
      'client_secret',
      'client_secret_expires_at',
      'logo_uri',
      'tos_uri',
      'software_statement',
      'unknown',
    ]) {
      expect(client).not.toHaveProperty(absent)
    }
  })

  test('the secret and the registration token are stored only as SHA-256', async () => {
    const client = granted(await register({ redirect_uris: [SITE] }))
    const rows = JSON.stringify(await stage.database.query('select * from oauth.client'))
    expect(rows).toContain(client.client_id)
    expect(rows).not.toContain(client.client_secret)
    expect(rows).not.toContain(client.registration_access_token)
  })

  test.each([
    'https://client.example',
    'https://client.example:8443/cb?tenant=a',
    'http://127.0.0.1:3000/cb',
    'http://127.0.0.1',
    'http://[::1]:8080/cb',
    'http://localhost/cb',
    'com.example.app:/cb',
    'com.example.app://callback',
  ])('a redirect URI: %s', async (uri) => {
    expect(await register({ redirect_uris: [uri] })).toMatchObject({ redirect_uris: [uri] })
  })

  test.each([
    ['no list', undefined],
    ['an empty list', []],
    ['no strings', [7]],
    ['a list that is a string', SITE],
    ['too many', Array.from({ length: 11 }, (_, n) => `${SITE}/${n}`)],
    ['one too long', [`${SITE}/${'a'.repeat(2_048)}`]],
    ['a path alone', ['/cb']],
    ['http that is not loopback', ['http://client.example/cb']],
    ['a host that begins like loopback', ['http://127.0.0.1.example/cb']],
    ['a loopback name as user', ['http://localhost@client.example/cb']],
    ['another spelling of loopback', ['http://0x7f.1/cb']],
    ['a fragment', [`${SITE}#here`]],
    ['an empty fragment', [`${SITE}#`]],
    ['a user', ['https://user@client.example/cb']],
    ['javascript', ['javascript:alert(1)']],
    ['data', ['data:text/html,hello']],
    ['vbscript', ['vbscript:msgbox']],
    ['a scheme of one word', ['myapp:/cb']],
    ['a host that would end a policy', ['https://a;form-action*.example/cb']],
    ['a space', ['https://client.example/c b']],
    ['a line end', ['https://client.example/\ncb']],
    ['a bad one beside a good one', [SITE, 'ftp://client.example']],
  ])('invalid_redirect_uri: %s', async (_what, redirect_uris) => {
    expect(await register({ redirect_uris })).toMatchObject({ refusal: 'invalid_redirect_uri' })
  })

  test.each([
    ['an unknown way to authenticate', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['a grant that is not offered', { grant_types: ['authorization_code', 'password'] }],
    ['implicit', { grant_types: ['implicit'], response_types: ['token'] }],
    ['codes without their grant', { grant_types: ['refresh_token'] }],
    ['the grant without codes', { response_types: [] }],
    ['an unknown scope', { scope: 'mcp:call everything' }],
    ['a name that is no string', { client_name: { en: 'x' } }],
    ['a name too long', { client_name: 'x'.repeat(121) }],
    ['a name that turns the text', { client_name: 'evil\u202Etxt' }],
    ['a name that overprints', { client_name: 'e\u0336vil' }],
    ['a name that shows nothing', { client_name: '\u3164' }],
    ['a name that looks like ours', { client_name: 'Саllboard' }],
    ['a name that speaks for us', { client_name: 'Official Support' }],
    ['a page that is script', { client_uri: 'javascript:alert(1)' }],
    ['a page with NUL', { client_uri: 'https://client.example/\0' }],
    ['a logo with half a character', { logo_uri: 'https://client.example/\ud800' }],
    ['keys twice', { jwks: { keys: [] }, jwks_uri: 'https://client.example/keys' }],
    ['more than 8 KiB', { unknown: 'x'.repeat(8_192) }],
  ])('invalid_client_metadata: %s', async (_what, more) => {
    expect(await register({ redirect_uris: [SITE], ...more })).toMatchObject({ refusal: 'invalid_client_metadata' })
  })
})

describe('managing a registration', () => {
  const managed = ({
    client_id,
    registration_access_token,
  }: {
    client_id: string
    registration_access_token: string
  }) => ({
    clientId: client_id,
    registration_access_token,
  })

  test('reading: returns the client as registered, without the secret', async () => {
    const { client_secret, client_secret_expires_at, ...client } = await stage.register({
      token_endpoint_auth_method: 'client_secret_post',
    })
    expect(client_secret).toBeDefined()
    expect(client_secret_expires_at).toBe(0)
    expect(await stage.call(operations.readClient, managed(client))).toEqual(client)
  })

  test('unauthorized: without the token, with another client’s, for an unknown client', async () => {
    const [client, other] = [await stage.register(), await stage.register()]
    for (const input of [
      { clientId: client.client_id },
      { ...managed(client), registration_access_token: other.registration_access_token },
      { ...managed(client), clientId: 'client_unknown' },
    ]) {
      expect(await stage.call(operations.readClient, input)).toMatchObject({ refusal: 'unauthorized' })
      expect(await stage.call(operations.updateClient, { ...input, redirect_uris: [SITE] })).toMatchObject({
        refusal: 'unauthorized',
      })
      expect(await stage.call(operations.deleteClient, input)).toMatchObject({ refusal: 'unauthorized' })
    }
  })

  test('updating: the new metadata replaces all of the old', async () => {
    const client = await stage.register({ client_name: 'before', scope: 'mcp:call' })
    const { client_id, client_id_issued_at, registration_access_token, registration_client_uri } = client
    const next = { redirect_uris: ['https://client.example/new'], token_endpoint_auth_method: 'none' }
    expect(await stage.call(operations.updateClient, { ...managed(client), client_id, ...next })).toEqual({
      ...{ client_id, client_id_issued_at, registration_access_token, registration_client_uri },
      ...{ ...next, grant_types: ['authorization_code'], response_types: ['code'] },
    })
  })

  test('updating: a secret is made when one is needed, is kept, and is deleted when none is needed', async () => {
    const client = await stage.register()
    const change = (more: Record<string, unknown>) =>
      stage.call(operations.updateClient, {
        ...{ ...managed(client), client_id: client.client_id, redirect_uris: [SITE] },
        ...more,
      })
    const { client_secret } = granted(await change({ token_endpoint_auth_method: 'client_secret_basic' }))
    expect(client_secret).toMatch(/^cb_client_/)
    const kept = granted(await change({ token_endpoint_auth_method: 'client_secret_post', client_secret }))
    expect(kept).not.toHaveProperty('client_secret')
    const code = await stage.approved(client)
    expect(await stage.token({ ...code, client_secret: 'another' })).toMatchObject({ refusal: 'invalid_client' })
    expect(await stage.token({ ...code, client_secret })).toMatchObject({ token_type: 'Bearer' })
    granted(await change({ token_endpoint_auth_method: 'none' }))
    expect(await stage.token({ ...(await stage.approved(client)) })).toMatchObject({ token_type: 'Bearer' })
  })

  test('updating: a grant lasts no longer than its owner was told, whatever the client has become since', async () => {
    const client = await stage.register({ grant_types: ['authorization_code'] })
    const become = (...grant_types: string[]) =>
      stage.call(operations.updateClient, {
        ...{ ...managed(client), client_id: client.client_id, redirect_uris: [SITE] },
        ...{ token_endpoint_auth_method: 'none', grant_types },
      })
    const given = await stage.approved(client)
    granted(await become('authorization_code', 'refresh_token'))
    expect(granted(await stage.token(given))).not.toHaveProperty('refresh_token')
    const { challenge, verifier } = newProof()
    const asked = goodRequest(client.client_id, challenge)
    const { redirectTo } = granted(
      await stage.decide(asked, { verdict: 'approve', scopes: ['mcp:call'], refreshes: false }),
    )
    const code = new URL(redirectTo).searchParams.get('code') ?? ''
    const tokens = await stage.token({ code, code_verifier: verifier, client_id: client.client_id })
    expect(granted(tokens)).not.toHaveProperty('refresh_token')
    expect(granted(await stage.token(await stage.approved(client)))).toHaveProperty('refresh_token')
  })

  test('updating: an answer goes only where its owner was told that it goes', async () => {
    const client = await stage.register()
    const asked = goodRequest(client.client_id, newProof().challenge)
    const approval = { verdict: 'approve' as const, scopes: ['mcp:call' as const] }
    const moved = await stage.decide(asked, { ...approval, formAction: 'https://other.example' })
    expect(moved).toMatchObject({ refusal: 'invalid_request', field: 'redirect_uri' })
    const shown = { ...approval, formAction: new URL(SITE).origin }
    expect(granted(await stage.decide(asked, shown)).granted).toBe(true)
  })

  test.each([
    ['without client_id', () => ({ client_id: undefined })],
    ['with another client_id', () => ({ client_id: 'client_other' })],
    ['with another secret', () => ({ client_secret: 'cb_client_other' })],
    ['with bad metadata', () => ({ scope: 'everything' })],
  ])('updating %s changes nothing: invalid_client_metadata', async (_what, more) => {
    const client = await stage.register()
    const input = { ...managed(client), client_id: client.client_id, redirect_uris: [`${SITE}/new`], ...more() }
    expect(await stage.call(operations.updateClient, input)).toMatchObject({ refusal: 'invalid_client_metadata' })
    expect(await stage.call(operations.readClient, managed(client))).toMatchObject({ redirect_uris: [SITE] })
  })

  test('deleting: ends the tokens and codes of the client, and its registration', async () => {
    const client = await stage.register()
    const tokens = granted(await stage.token(await stage.approved(client)))
    const unused = await stage.approved(client)
    expect(await stage.call(operations.deleteClient, managed(client))).toEqual({})
    expect(await stage.callerOf(tokens.access_token)).toBeUndefined()
    for (const attempt of [
      unused,
      { client_id: client.client_id, grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
    ]) {
      expect(await stage.token(attempt)).toMatchObject({ refusal: 'invalid_client' })
    }
    expect(await stage.ask(goodRequest(client.client_id))).toMatchObject({ refusal: 'invalid_request' })
    expect(await stage.call(operations.readClient, managed(client))).toMatchObject({ refusal: 'unauthorized' })
  })
})

describe('authenticating at the token endpoint', () => {
  test.each([
    ['an unknown client', async () => ({ client_id: 'client_unknown' })],
    ['the client of the console', async () => ({ client_id: 'console' })],
    [
      'a public client with a secret',
      async () => ({ client_id: (await stage.register()).client_id, client_secret: 'x' }),
    ],
    [
      'a confidential client without its secret',
      async () => ({ client_id: (await stage.register({ token_endpoint_auth_method: undefined })).client_id }),
    ],
    [
      'a confidential client with another’s secret',
      async () => {
        const [one, other] = [await register({ redirect_uris: [SITE] }), await register({ redirect_uris: [SITE] })]
        return { client_id: granted(one).client_id, client_secret: granted(other).client_secret }
      },
    ],
  ])('invalid_client: %s', async (_what, client) => {
    const input = { ...(await client()), token: 'cb_access_unknown', token_type_hint: undefined }
    expect(await stage.token({ ...input, code: 'x', code_verifier: 'x' })).toMatchObject({ refusal: 'invalid_client' })
    expect(await stage.call(operations.revoke, { client_secret: undefined, ...input })).toMatchObject({
      refusal: 'invalid_client',
    })
  })

  test.each([
    ['an agent with a code', { client_id: agentClientId(wallet(2).address), grant_type: 'authorization_code' }],
    ['a registered client with a device code', { grant_type: DEVICE_CODE_GRANT }],
    ['a client that is not registered to refresh', { grant_type: 'refresh_token' }],
  ])('unauthorized_client: %s', async (_what, input) => {
    const { client_id } = await stage.register({ grant_types: ['authorization_code'] })
    expect(await stage.token({ client_id, ...input })).toMatchObject({ refusal: 'unauthorized_client' })
  })
})

test('a client is removed when it has not been used for a quarter of a year, unless it holds tokens', async () => {
  const { db, close } = openDatabase<OauthTables>({
    ...{ url: stage.database.url, schema: 'oauth', maxConnections: 1 },
    onError: (error) => {
      throw error
    },
  })
  const [idle, used, holding] = [await stage.register(), await stage.register(), await stage.register()]
  const daysOn = (days: number) => new Date(stage.clock.now() + days * 86_400_000)
  const sweep = (days: number) => sweepClients(db, daysOn(days - 90), daysOn(days))
  const isKnown = async ({ client_id }: { client_id: string }) => !isRefusal(await stage.ask(goodRequest(client_id)))
  await stage.token(await stage.approved(used))
  await stage.token(await stage.approved(holding))
  await sweep(89)
  for (const client of [idle, used, holding]) expect(await isKnown(client)).toBe(true)
  await db
    .updateTable('refresh_token')
    .set({ expires_at: daysOn(100) })
    .execute()
  const { client_id, registration_access_token } = used
  await stage.database.query(
    'delete from oauth.refresh_token where family_id in (select id from oauth.token_family where client_id = $1)',
    [client_id],
  )
  await sweep(91)
  expect(await isKnown(idle)).toBe(false)
  expect(await isKnown(used)).toBe(false)
  expect(await isKnown(holding)).toBe(true)
  expect(await stage.call(operations.readClient, { clientId: client_id, registration_access_token })).toMatchObject({
    refusal: 'unauthorized',
  })
  await close()
})
