import { createHash, randomBytes } from 'node:crypto'
import { wallet } from '@callboard/testkit'
import { type AccessToken, AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { METADATA, type OauthStage, openOauthStage, REDIRECT } from './oauth-stage.ts'

let stage: OauthStage
beforeAll(async () => {
  stage = await openOauthStage(inject('postgresUrl'))
})
afterAll(() => stage.close())

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const
const SENT = ['header', 'body'] as const
const WAYS = METHODS.flatMap((method) => SENT.map((sent) => [method, sent] as const))

/** A client as simple-oauth2 expects it: a public client's secret is empty, and our paths are its defaults. */
async function registered(method: (typeof METHODS)[number]) {
  const answer = await stage.post('/oauth/register', { ...METADATA, token_endpoint_auth_method: method })
  const { client_id: id, client_secret: secret = '' } = (await answer.json()) as Record<string, string>
  return { client: { id: String(id), secret }, auth: { tokenHost: stage.base } }
}

/** The owner allows simple-oauth2's request, and it redeems the code. PKCE parameters are passed through it. */
async function granted(client: AuthorizationCode): Promise<AccessToken> {
  const verifier = randomBytes(32).toString('base64url')
  const callback = await stage.allowed(
    client.authorizeURL({
      redirect_uri: REDIRECT,
      scope: ['mcp:call', 'router.use'],
      state: 'a state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  )
  expect(callback.searchParams.get('state')).toBe('a state')
  const code = callback.searchParams.get('code') ?? ''
  return client.getToken({ code, redirect_uri: REDIRECT, code_verifier: verifier })
}

const callerOf = ({ token }: AccessToken) => stage.callerOf(String(token.access_token))

describe.each(WAYS)(
  'simple-oauth2, a client registered for %s that sends its credentials in the %s',
  (method, sent) => {
    const options = { authorizationMethod: sent }

    test('is granted access, redeems, refreshes and revokes', async () => {
      const client = new AuthorizationCode({ ...(await registered(method)), options })
      const first = await granted(client)
      expect(first.token).toMatchObject({ token_type: 'Bearer', scope: 'mcp:call', owner_wallet: wallet(1).address })
      expect(first.expired()).toBe(false)
      expect(first.expired(3_601)).toBe(true)
      expect(await callerOf(first)).toMatchObject({ kind: 'client', audience: stage.base })
      const next = await first.refresh({ scope: 'mcp:call' })
      expect(next.token.refresh_token).not.toBe(first.token.refresh_token)
      await next.revoke('refresh_token')
      expect(await callerOf(next)).toBeUndefined()
      await expect(next.refresh()).rejects.toMatchObject({
        output: { statusCode: 400 },
        data: { payload: { error: 'invalid_grant' } },
      })
    })

    test('revokes the access token and then the refresh token, which has already ended', async () => {
      const tokens = await granted(new AuthorizationCode({ ...(await registered(method)), options }))
      await tokens.revokeAll()
      expect(await callerOf(tokens)).toBeUndefined()
    })
  },
)

test('simple-oauth2 may send JSON instead of forms', async () => {
  const options = { authorizationMethod: 'body', bodyFormat: 'json' } as const
  const tokens = await granted(new AuthorizationCode({ ...(await registered('client_secret_post')), options }))
  expect(await callerOf(await tokens.refresh())).toMatchObject({ kind: 'client' })
})

test.each([
  ['401 invalid_client: another secret in the header', 'header', 401, 'invalid_client'],
  ['401 invalid_client: another secret in the body', 'body', 401, 'invalid_client'],
] as const)('%s', async (_title, authorizationMethod, statusCode, error) => {
  const { client, auth } = await registered('client_secret_basic')
  const worthless = new AuthorizationCode({
    ...{ client: { ...client, secret: 'cb_client_other' }, auth, options: { authorizationMethod } },
  })
  await expect(granted(worthless)).rejects.toMatchObject({ output: { statusCode }, data: { payload: { error } } })
})

test('400 unsupported_grant_type: grants that are not offered', async () => {
  const options = await registered('client_secret_basic')
  const refused = { output: { statusCode: 400 }, data: { payload: { error: 'unsupported_grant_type' } } }
  await expect(new ClientCredentials(options).getToken({ scope: 'mcp:call' })).rejects.toMatchObject(refused)
  await expect(
    new ResourceOwnerPassword(options).getToken({ username: 'owner', password: 'secret' }),
  ).rejects.toMatchObject(refused)
})
