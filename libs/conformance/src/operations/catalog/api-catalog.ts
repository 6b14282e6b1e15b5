import { catalog } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { expectHead } from '../../expectations/aliases.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/.well-known/api-catalog'

/** @source RFC 9727, RFC 9264 */
export const apiCatalog: Register = (target) => {
  const client = () => new Client(target().baseUrl, { accept: 'application/linkset+json' })

  test('names discovery, the decoder, the hosted MCP and the agent-to-agent routes', async () => {
    const { linkset } = accepted(catalog.apiCatalog, await client().get(PATH))
    const named = linkset.flatMap(({ item = [] }) => item.map(({ href }) => new URL(href).pathname))
    expect(named).toEqual(expect.arrayContaining(['/api/call/discovery', '/x402/decode', '/mcp', '/a2a']))
    expect(named).toHaveLength(4)
  })

  test('every API has its description and its documentation, and some have a status', async () => {
    const { linkset } = accepted(catalog.apiCatalog, await client().get(PATH))
    const apis = linkset.filter(({ item }) => item === undefined)
    for (const api of apis) {
      expect(api['service-desc']?.length).toBeGreaterThan(0)
      expect(api['service-doc']?.length).toBeGreaterThan(0)
    }
    expect(apis.flatMap(({ status = [] }) => status).length).toBeGreaterThan(0)
    expect(apis.flatMap((api) => api['service-desc'] ?? []).map(({ href }) => new URL(href).pathname)).toContain(
      '/openapi.json',
    )
  })

  test('every link is absolute and on this origin', async () => {
    const { linkset } = accepted(catalog.apiCatalog, await client().get(PATH))
    const { origin } = new URL(target().baseUrl)
    for (const { anchor, ...relations } of linkset) {
      const links = Object.values(relations).flat()
      for (const href of [anchor, ...links.map((link) => link.href)]) expect(new URL(href).origin).toBe(origin)
    }
  })

  test('every link resolves', async () => {
    const { linkset } = accepted(catalog.apiCatalog, await client().get(PATH))
    const named = linkset.flatMap(({ anchor, ...relations }) => [
      anchor,
      ...Object.values(relations).flatMap((links) => links.map(({ href }) => href)),
    ])
    const { origin } = new URL(target().baseUrl)
    for (const href of new Set(named)) {
      const path = href.slice(origin.length)
      const answer = await client().get(path)
      // These are called with POST, and their refusals say so.
      if (path === '/x402/decode' || path === '/a2a') expect(answer.headers.get('allow'), path).toContain('POST')
      else if (path === '/mcp') expect(answer.headers.get('www-authenticate'), path).toMatch(/^Bearer /)
      else expect(answer.status, path).toBe(200)
    }
  })

  test('has the profile of RFC 9727', async () => {
    const { headers } = await client().get(PATH)
    expect(headers.get('content-type')).toContain('profile="https://www.rfc-editor.org/info/rfc9727"')
  })

  test('HEAD has the headers of GET, the catalog link among them, and no body', () => expectHead(client(), PATH))

  test('400 names the field: it takes no parameters', async () => {
    refused(catalog.apiCatalog, await client().get(`${PATH}?a=1`), 400, 'invalid_request', 'a')
  })
}
