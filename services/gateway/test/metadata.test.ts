import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'))
})
afterAll(() => edge.stop())

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(edge.base + path, { headers, method })

describe('metadata', () => {
  test('the issuer is the public origin without a slash, and every endpoint is a route of ours', async () => {
    const document = (await (await get(SERVER)).json()) as Record<string, unknown>
    expect(document).toMatchObject({
      issuer: edge.base,
      token_endpoint: `${edge.base}/oauth/token`,
      device_authorization_endpoint: `${edge.base}/oauth/device_authorization`,
      revocation_endpoint: `${edge.base}/oauth/revoke`,
      scopes_supported: ['mcp:call', 'router.use', 'call.publish'],
      protected_resources: [edge.base, `${edge.base}/mcp`],
    })
    for (const [name, url] of Object.entries(document)) {
      if (!name.endsWith('_endpoint')) continue
      const method = name === 'authorization_endpoint' ? 'GET' : 'POST'
      expect((await get(new URL(String(url)).pathname, {}, method)).status, name).not.toBe(404)
    }
  })

  test('each resource has its own document, which names itself and us', async () => {
    const whole = await (await get(RESOURCE)).json()
    expect(whole).toMatchObject({
      resource: edge.base,
      authorization_servers: [edge.base],
      bearer_methods_supported: ['header'],
    })
    const mcp = await (await get(`${RESOURCE}/mcp`)).json()
    expect(mcp).toMatchObject({ resource: `${edge.base}/mcp`, scopes_supported: ['mcp:call'] })
  })

  test.each([SERVER, RESOURCE, `${RESOURCE}/mcp`])('%s may be cached, and is revalidated by its tag', async (path) => {
    const answer = await get(path, { 'accept-encoding': 'identity' })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600')
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'accept-encoding': 'identity', 'if-none-match': known })
      expect(again.status).toBe(304)
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('cache-control')).toBe('public, max-age=3600')
      expect(await again.text()).toBe('')
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await get(path, { 'accept-encoding': 'identity' }, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.headers.get('etag')).toBe(etag)
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'))
  })

  test('any site may read it, even when sending its MCP protocol version', async () => {
    const preflight = await get(
      SERVER,
      {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
      'OPTIONS',
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('mcp-protocol-version')
    expect((await get(SERVER, { origin: 'https://app.example' })).headers.get('access-control-allow-origin')).toBe('*')
  })

  test('404 not_found: there is no OpenID provider here', async () => {
    const answer = await get('/.well-known/openid-configuration')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: 'not_found' })
  })
})
