import { routes } from '@callboard/contract'
import { expect, test } from 'vitest'
import { agents, catalog, listings, oauth, router, x402Facilitator } from './operations.ts'

test('every route of the contract is there but those of the models and of verifiers, and no operation without one', () => {
  const there = [agents, catalog, listings, oauth, router, x402Facilitator].flatMap((service) => Object.values(service))
  expect(there.map(({ id }) => id).sort()).toEqual(
    routes()
      .filter(({ http }) => http.auth !== 'router_key' && !http.signed)
      .map(({ id }) => id)
      .sort(),
  )
})
