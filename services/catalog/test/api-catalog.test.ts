import { catalog as operations, routes } from '@callboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BASE_URL, startCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())

test('200: returns a linkset that names the APIs, their descriptions, documentation and status by absolute URLs', async () => {
  const { linkset } = await catalog.ask(operations.apiCatalog, {})
  const [self, ...apis] = linkset
  expect(self).toEqual({
    anchor: `${BASE_URL}/.well-known/api-catalog`,
    item: apis.map(({ anchor }) => ({ href: anchor })),
  })
  expect(apis.map(({ anchor }) => anchor)).toEqual([
    `${BASE_URL}/api/call/discovery`,
    `${BASE_URL}/x402/decode`,
    `${BASE_URL}/mcp`,
    `${BASE_URL}/a2a`,
  ])
  for (const { 'service-desc': description, 'service-doc': documentation } of apis) {
    expect(description).toEqual([
      { href: expect.stringMatching(/(openapi|agent-card)\.json$/), type: 'application/json' },
    ])
    expect(documentation).toEqual([{ href: `${BASE_URL}/docs`, type: 'text/html' }])
  }
  expect(apis.flatMap(({ status }) => status ?? []).map(({ href }) => href)).toEqual([
    `${BASE_URL}/mcp/health`,
    `${BASE_URL}/api/tasks/readiness`,
  ])
})

test('the routes of ours that it names are in the contract', async () => {
  const paths = new Set<string>(routes().map(({ http }) => http.path))
  expect(paths).toContain('/.well-known/api-catalog')
  expect(paths).toContain('/api/call/discovery')
  expect(paths).toContain('/x402/decode')
  expect(paths).toContain('/x402/openapi.json')
})
