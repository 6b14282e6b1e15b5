import { expect, test } from 'vitest'
import { discoverable, everything, FRESH_MS, offered } from './visibility.ts'

test('discovery shows verified listings and the fresh mirror, and on request unreviewed listings too', () => {
  expect(discoverable(false)).toEqual({ listed: 'verified', external: 'fresh' })
  expect(discoverable(true)).toEqual({ listed: 'all', external: 'fresh' })
})

test('the services shape offers only verified listings, and on request all that discovery shows', () => {
  expect(offered(false)).toEqual({ listed: 'verified', external: 'verified' })
  expect(offered(true)).toEqual({ listed: 'all', external: 'fresh' })
})

test('the catalogue shows everything that is published', () => {
  expect(everything).toEqual({ listed: 'all', external: 'all' })
})

test('an endpoint is fresh for a day', () => {
  expect(FRESH_MS).toBe(86_400_000)
})
