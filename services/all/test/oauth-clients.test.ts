import { randomBytes } from 'node:crypto'
import { wallet } from '@callboard/testkit'
import * as oauth4webapi from 'oauth4webapi'
import * as openidClient from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { authorizeWithMcpSdk } from './mcp-sdk-flow.ts'
import { hidden, METADATA, type OauthStage, openOauthStage, REDIRECT, unescaped, wayBack } from './oauth-stage.ts'

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const

let stage: OauthStage
let base: string
let cookie: string

beforeAll(async () => {
  stage = await openOauthStage(inject('postgresUrl'))
  ;({ base, cookie } = stage)
})
afterAll(() => stage.close())

const post: OauthStage['post'] = (path, body, headers) => stage.post(path, body, headers)
const open: OauthStage['open'] = (url, headers) => stage.open(url, headers)
const submit: OauthStage['submit'] = (url, fields, headers) => stage.submit(url, fields, headers)
const allowed: OauthStage['allowed'] = (url) => stage.allowed(url)
const callerOf: OauthStage['callerOf'] = (credential) => stage.callerOf(credential)

const ALLOW = [
  ['decision', 'approve'],
  ['scopes', 'mcp:call'],
] as const

const INSECURE = { [oauth4webapi.allowInsecureRequests]: true }

describe.each(METHODS)('a client that authenticates by %s', (token_endpoint_auth_method) => {
  test('openid-client registers, is granted access, redeems, refreshes and revokes', async () => {
    const config = await openidClient.dynamicClientRegistration(
      new URL(base),
      { ...METADATA, token_endpoint_auth_method },
      undefined,
      { algorithm: 'oauth2', execute: [openidClient.allowInsecureRequests] },
    )
    const pkceCodeVerifier = openidClient.randomPKCECodeVerifier()
    const expectedState = openidClient.randomState()
    const url = openidClient.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: 'mcp:call router.use',
      code_challenge: await openidClient.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      resource: `${base}/mcp`,
    })
    const tokens = await openidClient.authorizationCodeGrant(
      config,
      await allowed(url),
      { pkceCodeVerifier, expectedState },
      { resource: `${base}/mcp` },
    )
    expect(tokens).toMatchObject({ scope: 'mcp:call', expires_in: 3_600, owner_wallet: wallet(1).address })
    expect(await callerOf(tokens.access_token)).toMatchObject({ kind: 'client', audience: `${base}/mcp` })
    const next = await openidClient.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    await openidClient.tokenRevocation(config, next.refresh_token ?? '')
    expect(await callerOf(next.access_token)).toBeUndefined()
    await expect(openidClient.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('oauth4webapi registers, is granted access, redeems, refreshes and revokes', async () => {
    const issuer = new URL(base)
    const server = await oauth4webapi.processDiscoveryResponse(
      issuer,
      await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE }),
    )
    const client = await oauth4webapi.processDynamicClientRegistrationResponse(
      await oauth4webapi.dynamicClientRegistrationRequest(
        server,
        { ...METADATA, token_endpoint_auth_method },
        INSECURE,
      ),
    )
    const secret = String(client.client_secret ?? '')
    const proof = {
      none: () => oauth4webapi.None(),
      client_secret_basic: () => oauth4webapi.ClientSecretBasic(secret),
      client_secret_post: () => oauth4webapi.ClientSecretPost(secret),
    }[token_endpoint_auth_method]()
    const verifier = oauth4webapi.generateRandomCodeVerifier()
    const state = oauth4webapi.generateRandomState()
    const url = new URL(server.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    }).toString()
    const parameters = oauth4webapi.validateAuthResponse(server, client, await allowed(url), state)
    const tokens = await oauth4webapi.processAuthorizationCodeResponse(
      server,
      client,
      await oauth4webapi.authorizationCodeGrantRequest(server, client, proof, parameters, REDIRECT, verifier, INSECURE),
    )
    const next = await oauth4webapi.processRefreshTokenResponse(
      server,
      client,
      await oauth4webapi.refreshTokenGrantRequest(server, client, proof, tokens.refresh_token ?? '', INSECURE),
    )
    expect(await callerOf(next.access_token)).toMatchObject({ kind: 'client', audience: base, scopes: ['mcp:call'] })
    await oauth4webapi.processRevocationResponse(
      await oauth4webapi.revocationRequest(server, client, proof, next.access_token, INSECURE),
    )
    expect(await callerOf(next.access_token)).toBeUndefined()
  })
})

test('the MCP SDK discovers everything, registers, is granted access, redeems and refreshes', async () => {
  expect(await authorizeWithMcpSdk(stage)).toHaveProperty('client_id')
})

describe('the consent page', () => {
  /** A registered client, and the address at which it sends its owner to us. */
  async function asking(more: Record<string, string> = {}, metadata: object = {}) {
    const answer = await post('/oauth/register', { ...METADATA, token_endpoint_auth_method: 'none', ...metadata })
    const { client_id } = (await answer.json()) as { client_id: string }
    const url = new URL(`${base}/oauth/authorize`)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: REDIRECT,
      code_challenge: randomBytes(32).toString('base64url'),
      code_challenge_method: 'S256',
      state: 'a "state" <with> &amp; marks',
      ...more,
    }).toString()
    return { client_id, url }
  }

  test('shows the redirect host and the name as an escaped claim, leaves spending unticked, and puts deny first', async () => {
    const { url, client_id } = await asking()
    const answer = await open(url)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain('<strong class="code">client.example</strong>')
    expect(html).toContain('A client &lt;b>of a third party&lt;/b>')
    expect(html).toContain('Claimed by the program')
    expect(html).toContain(client_id)
    expect(html).toContain(wallet(1).address)
    expect(html.match(/<input[^>]*name="scopes"[^>]*checked/g)).toEqual([expect.stringContaining('mcp:call')])
    expect(html.indexOf('value="deny"')).toBeLessThan(html.indexOf('value="approve"'))
    expect(html).not.toMatch(/<script|<img/)
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'none'")
    expect(policy).toContain("form-action 'self' https://client.example;")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('asks a signed-out visitor to sign in, shows nothing before, and returns to the same request', async () => {
    const { url, client_id } = await asking()
    const html = await (await open(url, {})).text()
    expect(html).not.toContain('client.example</strong>')
    expect(html).not.toContain('of a third party')
    const path = unescaped(/href="(\/signin\?[^"]*)"/.exec(html)?.[1] ?? '')
    expect(new URL(path, base).searchParams.get('return_to')).toBe(url.pathname + url.search)
    expect(await (await open(base + path)).text()).toContain(`client_id=${client_id}`)
  })

  test('shows a denial as a page, with a link back to the client with access_denied, state and iss', async () => {
    const { url } = await asking()
    const answer = await submit(url, [['decision', 'deny']])
    expect(answer.status).toBe(200)
    expect(answer.headers.get('location')).toBeNull()
    const back = wayBack(await answer.text())
    expect(back.href.startsWith(`${REDIRECT}?error=access_denied`)).toBe(true)
    expect(back.searchParams.get('state')).toBe('a "state" <with> &amp; marks')
    expect(back.searchParams.get('iss')).toBe(base)
  })

  test('reports a bad request to the client only by a click', async () => {
    const { url } = await asking({ code_challenge_method: 'plain' })
    const answer = await open(url)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(wayBack(await answer.text()).searchParams.get('error')).toBe('invalid_request')
  })

  test.each([
    ['an unknown client', { client_id: 'client_unknown' }],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example/' }],
    ['a request of more than 8 KiB', { state: 'x'.repeat(8_192) }],
  ])('400 and no redirect: %s', async (_what, more: Record<string, string>) => {
    const { url } = await asking(more)
    const answer = await open(url)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('400 if nothing is ticked: nothing is decided, and the form is shown again', async () => {
    const { url } = await asking()
    const answer = await submit(url, [['decision', 'approve']])
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Tick at least one')
  })

  test('400: a scope that was not requested', async () => {
    const { url } = await asking({ scope: 'mcp:call' })
    const answer = await submit(url, [...ALLOW, ['scopes', 'call.publish']])
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  test('403: from another site, or with the form of another request', async () => {
    const [{ url }, other] = [await asking(), await asking()]
    const elsewhere: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
    for (const headers of elsewhere) {
      expect((await submit(url, ALLOW, headers)).status).toBe(403)
    }
    expect((await submit(url, [...ALLOW])).status).toBe(303)
    const csrf = hidden(await (await open(url)).text(), 'csrf')
    const stolen = await fetch(other.url.origin + other.url.pathname, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: base },
      body: new URLSearchParams([['query', other.url.search.slice(1)], ['csrf', csrf], ...ALLOW.map((f) => [...f])]),
    })
    expect(stolen.status).toBe(403)
  })

  test.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:40123/cb', 'http://127.0.0.1:40123', 'this computer'],
    ['com.example.app:/cb', 'com.example.app:/cb', 'com.example.app:', 'app on this device'],
  ])('describes a program on the owner’s device: %s', async (registered, redirect_uri, source, words) => {
    const { url } = await asking({ redirect_uri }, { redirect_uris: [registered] })
    const answer = await open(url)
    expect(answer.headers.get('content-security-policy')).toContain(`form-action 'self' ${source};`)
    expect(await answer.text()).toContain(words)
    expect((await allowed(url)).href.startsWith(`${redirect_uri}?code=`)).toBe(true)
  })
})

test('a token for the MCP endpoint is valid nowhere else; one for the whole service passes the edge', async () => {
  const config = await openidClient.dynamicClientRegistration(
    new URL(base),
    { ...METADATA, token_endpoint_auth_method: 'none' },
    undefined,
    { algorithm: 'oauth2', execute: [openidClient.allowInsecureRequests] },
  )
  const statusWith = async (resource: string) => {
    const pkceCodeVerifier = openidClient.randomPKCECodeVerifier()
    const url = openidClient.buildAuthorizationUrl(config, {
      ...{ redirect_uri: REDIRECT, scope: 'call.publish', resource, code_challenge_method: 'S256' },
      code_challenge: await openidClient.calculatePKCECodeChallenge(pkceCodeVerifier),
    })
    const answer = await submit(url, [
      ['decision', 'approve'],
      ['scopes', 'call.publish'],
    ])
    const callback = new URL(answer.headers.get('location') ?? '')
    const { access_token } = await openidClient.authorizationCodeGrant(config, callback, { pkceCodeVerifier })
    const headers = { authorization: `Bearer ${access_token}` }
    const ofListings = await fetch(`${base}/api/call/listings/mine`, { headers })
    const ofA2a = await fetch(`${base}/a2a`, { method: 'POST', headers })
    return [ofListings.status, ofA2a.status]
  }
  expect(await statusWith(`${base}/mcp`)).toEqual([401, 401])
  // No process serves listings here.
  expect(await statusWith(base)).toEqual([503, 200])
})

test('a registration is read, changed and removed with its token over HTTP; any other gets a 401 challenge', async () => {
  const registered = (await (await post('/oauth/register', METADATA)).json()) as Record<string, string>
  const { client_id, registration_client_uri = '', registration_access_token } = registered
  const manage = (method: string, token = registration_access_token, body?: object) =>
    fetch(registration_client_uri, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const { client_secret: _, client_secret_expires_at: __, ...shown } = registered
  expect(await (await manage('GET')).json()).toEqual(shown)
  const changed = { ...METADATA, client_id, client_name: 'Another name', token_endpoint_auth_method: 'none' }
  expect(await (await manage('PUT', undefined, changed)).json()).toMatchObject(changed)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const refused = await manage(method, 'cb_registration_other', method === 'PUT' ? changed : undefined)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/)
  }
  expect((await manage('DELETE')).status).toBe(204)
  expect((await manage('GET')).status).toBe(401)
})

test('a bad registration is refused with the error codes of RFC 7591', async () => {
  const answer = await post('/oauth/register', { redirect_uris: ['http://client.example/'] })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri', error_description: expect.any(String) })
})
