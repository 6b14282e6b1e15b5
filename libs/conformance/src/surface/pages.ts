import type { CatalogueEntry, DiscoveryPage } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAgent } from '../actors/agent.ts'
import { type Answer, Client } from '../actors/client.ts'
import { newOwner, visitorOf } from '../actors/owner.ts'
import { staged } from '../stage.ts'
import type { TargetOf } from '../target.ts'

const PAGES = [...['/', '/call/invoke', '/account', '/link', '/signin', '/oauth/authorize', '/docs', '/docs/probes']]

/** What every page carries, for every visitor. */
function expectPage({ headers, text }: Answer): void {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy.split('; ')).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]))
  expect(policy).not.toContain('unsafe')
  expect(headers.get('cross-origin-opener-policy')).toMatch(/^same-origin(-allow-popups)?$/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(text.match(/<h1>/g)).toHaveLength(1)
  expect(text).not.toMatch(/<[^>]*\s(on\w+|style)=/)
}

/** The pages for people: server-rendered, in one layout, not embeddable by other sites. */
export function registerPages(target: TargetOf): void {
  const anonymous = () => new Client(target().baseUrl)

  test.each(PAGES)('%s is a page, for visitors and for owners', async (path) => {
    const visitor = await visitorOf(target())
    for (const client of [anonymous(), visitor.session]) expectPage(await client.get(path))
  })

  test.each(PAGES.filter((path) => !path.startsWith('/docs')))(
    '%s is private to its reader: not cached, not readable by other sites',
    async (path) => {
      const { headers } = await anonymous().get(path, { headers: { origin: 'https://elsewhere.example' } })
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  test('the front page searches the directory and escapes the query', async () => {
    const { status, text } = await anonymous().get(`/?q=${encodeURIComponent('<b>nothing like it</b>')}`)
    expect(status).toBe(200)
    expect(text).toContain('role="search"')
    expect(text).not.toContain('<b>')
  })

  staged(target, 'an invoke link opens its call; one that was changed is refused', async (stage) => {
    const { slug, operations } = stage.rates
    const [request] = ((await stage.client.get(`/api/calls/${slug}`)).json() as CatalogueEntry).requests
    const href = request?.action?.href ?? ''
    const { items } = (
      await stage.client.get(`/api/call/discovery?includeUnverified=true&q=${stage.word}`)
    ).json() as DiscoveryPage
    expect(items.find(({ ref }) => ref === slug)?.action.href).toBe(href)
    const page = await anonymous().get(href)
    expect(page.status).toBe(200)
    expectPage(page)
    expect(page.text).toContain(`GET ${operations[0]?.url}`)
    expect(page.text).toContain('callboard pay')
    const other = await anonymous().get(href.replace('method=GET', 'method=POST'))
    expect(other.status).toBe(400)
    expectPage(other)
    expect((await anonymous().post(href, {})).status).toBe(405)
  })

  test('the account page lists an agent and ends it by its forms; afterwards the agent’s token is invalid', async () => {
    const owner = await newOwner(target())
    const { clientId, api } = await newAgent(target(), owner)
    const listed = await owner.session.get('/account')
    expect(listed.text).toContain(clientId)
    const asked = await owner.session.get(`/account/end?what=agent&id=${clientId}`)
    const csrf = /name="csrf" value="([^"]+)"/.exec(asked.text)?.[1] ?? ''
    const form = { csrf, do: 'end', what: 'agent', id: clientId }
    const other = await visitorOf(target())
    expect((await other.session.post('/account', new URLSearchParams(form))).status).toBe(403)
    expect((await api.get('/api/agents/self')).status).toBe(200)
    const ended = await owner.session.post('/account', new URLSearchParams(form))
    expect(ended.status).toBe(200)
    expectPage(ended)
    expect((await api.get('/api/agents/self')).status).toBe(401)
  })

  test('a preflight is answered for the route of its method: an agent’s own route, and no owner’s route', async () => {
    const preflight = async (method: string, path: string) => {
      const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': method }
      return (await anonymous().send('OPTIONS', path, { headers })).headers
    }
    const own = await preflight('DELETE', '/api/agents/self')
    expect(own.get('access-control-allow-origin')).toBe('*')
    expect(own.get('access-control-allow-methods')).toContain('DELETE')
    const owners = await preflight('DELETE', `/api/agents/agent_0x${'0'.repeat(40)}`)
    expect(owners.get('access-control-allow-origin')).toBeNull()
  })
}
