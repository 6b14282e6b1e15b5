import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { livenessProber } from '@callboard/liveness-prober'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { formToken } from '../../gateway/src/pages/owner/form-token.ts'
import { selfSigned } from '../../liveness-prober/test/self-signed.ts'
import { authorizeWithMcpSdk } from './mcp-sdk-flow.ts'
import { METADATA, type OauthStage, openOauthStage, REDIRECT } from './oauth-stage.ts'

let stage: OauthStage
let server: Server
let host: string
let documents: Map<string, object>

beforeAll(async () => {
  // Trust the server below, as authorities vouch for public ones.
  setDefaultCACertificates([...getCACertificates('default'), selfSigned.cert])
  stage = await openOauthStage(inject('postgresUrl'), {
    modules: [livenessProber],
    env: { PROBE_ALLOW_LOOPBACK: 'true', PROBE_TIMEOUT_MS: '1000' },
  })
  server = createServer(selfSigned, (req, res) => {
    const document = documents.get(req.url ?? '')
    res.writeHead(document ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await stage.close()
  await new Promise((closed) => server.close(closed))
})
beforeEach(() => {
  documents = new Map()
})

/** Puts a client's document onto the server. @returns its URL */
function publish(path: string, more: object = {}): string {
  const client_id = `https://${host}${path}`
  documents.set(path, { ...METADATA, client_id, token_endpoint_auth_method: 'none', ...more })
  return client_id
}

function asking(client_id: string, more: Record<string, string> = {}): URL {
  const url = new URL(`${stage.base}/oauth/authorize`)
  url.search = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri: REDIRECT, state: 'kept' },
    ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', ...more },
  }).toString()
  return url
}

test('the MCP SDK uses a metadata document, does not register, is granted access, redeems and refreshes', async () => {
  const clientMetadataUrl = publish('/mcp-client.json')
  expect(await authorizeWithMcpSdk(stage, { clientMetadataUrl })).toMatchObject({ client_id: clientMetadataUrl })
})

describe('the consent page', () => {
  test('shows the document’s host, the redirect host, and the name as a claim', async () => {
    const id = publish('/client.json')
    const html = await (await stage.open(asking(id))).text()
    expect(html).toContain('<strong class="code">client.example</strong>')
    expect(html).toMatch(new RegExp(`Metadata document of\\s*<strong>${host}</strong>`))
    expect(html).toContain('A client &lt;b>of a third party&lt;/b>')
    expect(html).toContain('Claimed by the document')
    expect(html).toContain(id)
    expect(html).not.toContain('program on your device')
  })

  test('warns that a document cannot vouch for a program on the owner’s device', async () => {
    const id = publish('/native.json', { redirect_uris: ['http://127.0.0.1/callback'] })
    const html = await (await stage.open(asking(id, { redirect_uri: 'http://127.0.0.1:41234/callback' }))).text()
    expect(html).toContain('program on your device')
  })

  test.each([
    [400, 'a document that is not there', () => asking(`https://${host}/nowhere.json`)],
    [
      400,
      'a redirect URI that it does not name',
      () => asking(publish('/a.json'), { redirect_uri: 'https://evil.example/' }),
    ],
    [400, 'a URL that can be no client id', () => asking(`https://${host}/`)],
    [503, 'a host that does not resolve', () => asking('https://client.invalid/client.json')],
  ])('%i and no redirect: %s', async (status, _what, url) => {
    const answer = await stage.open(url())
    expect(answer.status).toBe(status)
    expect(answer.headers.get('location')).toBeNull()
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '5' : null)
    const html = await answer.text()
    expect(html).toContain(status === 503 ? 'cannot be checked right now' : 'cannot be answered')
    expect(html).toMatch(/client_id|metadata document|redirect_uri/)
  })

  test('fetches nothing for a caller that is not signed in', async () => {
    const answer = await stage.open(asking(`https://${host}/nowhere.json`), {})
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('Sign in')
  })
})

test('429: the documents fetched for one address are limited, however its requests are written', async () => {
  const few = await openOauthStage(inject('postgresUrl'), {
    modules: [livenessProber],
    env: { PROBE_ALLOW_LOOPBACK: 'true', RATE_LIMITS: JSON.stringify({ probe: { burst: 3, perMinute: 1 } }) },
  })
  const { base, cookie } = few
  const ask = async (query: string) => (await few.open(`${base}/oauth/authorize?${query}`)).status
  for (const query of ['client_id=https://a', 'client_id=&client_id=https://a', 'client_id=HTTPS%3A%2F%2Fa']) {
    expect(await ask(query)).toBe(400)
  }
  expect(await ask('client_id=https://a')).toBe(429)
  const query = 'client_id=https://a/b'
  const csrf = formToken(cookie.split('=')[1] ?? '', `/oauth/authorize?${query}`)
  const posted = await fetch(`${base}/oauth/authorize`, {
    method: 'POST',
    headers: { cookie, origin: base },
    body: new URLSearchParams({ query, csrf, decision: 'deny' }),
  })
  expect(posted.status).toBe(429)
  expect(await ask('client_id=client_unknown')).toBe(400)
  await few.close()
})
