import { routes } from '@callboard/contract'
import { expect, test } from 'vitest'
import { agents, catalog, listings, oauth, router, x402Facilitator } from './operations.ts'

test('every contract route has an operation except those for models and verifiers, and there are no others', () => {
  const there = [agents, catalog, listings, oauth, router, x402Facilitator].flatMap((service) => Object.values(service))
  expect(there.map(({ id }) => id).sort()).toEqual(
    routes()
      .filter(({ http }) => http.auth !== 'router_key' && !http.signed)
      .map(({ id }) => id)
      .sort(),
  )
})
