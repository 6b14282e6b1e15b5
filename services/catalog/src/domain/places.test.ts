import { expect, test } from 'vitest'
import { DirectoryPlace, LEDGER_ORDER, LedgerPlace } from './places.ts'

const places = [
  ['directory', DirectoryPlace, { groupRank: 0, tier: 1, floor: 7, distrust: 600, staleness: -2, slug: 'answers' }],
  ['ledger', LedgerPlace, { observedAtMs: 1, network: 'eip155:8453', blockNumber: 7, logIndex: 0, txHash: '0x0a' }],
] as const

test.each(places)('a place in the %s requires all of its members', (_name, schema, place) => {
  expect(schema.parse(place)).toEqual(place)
  for (const member of Object.keys(place)) {
    expect(schema.safeParse({ ...place, [member]: undefined }).success).toBe(false)
    expect(schema.safeParse({ ...place, [member]: 0.5 }).success).toBe(false)
  }
})

test('a cursor of the ledger names the version of its order', () => {
  expect(LEDGER_ORDER).toBe('ledger-v1')
})
