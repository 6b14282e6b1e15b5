import { expect, test } from 'vitest'
import { AGENT_ORDER, AgentPlace, DirectoryPlace, LEDGER_ORDER, LedgerPlace } from './places.ts'

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

test.each([
  ['0', true],
  ['7'.repeat(78), true],
  ['7'.repeat(79), false],
  ['', false],
  ['1a', false],
  ['a1', false],
])('a place among agents holds a number of up to 78 digits: “%s”', (agentId, fits) => {
  const place = { network: 'eip155:8453', registry: '0x01', agentId }
  expect(AgentPlace.safeParse(place).success).toBe(fits)
  expect(AgentPlace.safeParse({ agentId }).success).toBe(false)
})

test('the order of agents has a version of its own', () => expect(AGENT_ORDER).toBe('agent-v1'))
