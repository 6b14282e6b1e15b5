import { expect, test } from 'vitest'
import { reservedSlugs } from './index.ts'

test('reservedSlugs: returns every word that a route has where another has a slug, and those to come', () => {
  expect([...reservedSlugs()].sort()).toEqual(
    [
      'claim',
      'claim-nonce',
      'feed',
      'feed.xml',
      'invoke',
      'list',
      'mine',
      'payout-nonce',
      'probe',
      'search',
      'splitters',
      'x402-decode',
    ].sort(),
  )
})
