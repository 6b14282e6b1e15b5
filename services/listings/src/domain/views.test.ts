import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { conformant, listing, OWNER, operation, SPLITTER, THIRD_PARTY } from '../../test/held-listing.ts'
import { noTotals, recordOf, snapshotOf, type Totals } from './views.ts'

const DAY_ONE = '2026-01-01T00:00:00.000Z'
const DAY_TWO = '2026-01-02T00:00:00.000Z'
const held = {
  ...listing,
  description: 'All quotes.',
  splitter: { address: SPLITTER, factory: THIRD_PARTY, deployed: true },
  createdAt: Date.parse(DAY_ONE),
  listedAt: Date.parse(DAY_TWO),
  updatedAt: Date.parse('2026-01-03T00:00:00.000Z'),
} as const
const common = {
  slug: 'quotes',
  name: 'Quotes',
  description: 'All quotes.',
  category: 'data',
  status: 'live',
  verification: 'verified',
  group: 'added',
  provenance: 'self_listed',
  fee: { bps: 500, label: '' },
  operations: [operation],
  createdAt: DAY_ONE,
  listedAt: DAY_TWO,
  updatedAt: '2026-01-03T00:00:00.000Z',
}
const nothing = {
  calls: { total: 0, last7d: 0 },
  revenue: { amountUsd: '0', last7dUsd: '0' },
  transfers: { total: 0, amountUsd: '0' },
}

describe('recordOf', () => {
  test('default: returns the whole listing, with the transaction that deploys its splitter', () => {
    const abi = parseAbi(['function createAndDistribute(address wallet)'])
    expect(recordOf(held, noTotals)).toEqual({
      ...common,
      suspendedReason: null,
      rejection: null,
      suspension: null,
      payoutWallet: OWNER,
      splitter: {
        network: 'eip155:8453',
        address: SPLITTER,
        deployed: true,
        deploy: { to: THIRD_PARTY, data: encodeFunctionData({ abi, args: [OWNER] }), value: '0' },
      },
      liveness: { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 },
      ...nothing,
      shared: nothing,
    })
  })

  test('behavior: a listing that was rejected or taken offline says when and why', () => {
    const rejection = { at: Date.parse(DAY_TWO), reason: 'It sells nothing.' }
    expect(recordOf({ ...held, rejection, suspendedReason: 'It is down.' }, noTotals)).toMatchObject({
      rejection: { at: DAY_TWO, reason: 'It sells nothing.' },
      suspendedReason: 'It is down.',
    })
  })

  test('behavior: a listing that was never listed has no listing day', () => {
    expect(recordOf({ ...held, listedAt: null }, noTotals).listedAt).toBeNull()
  })

  test('behavior: base units become USD, and shared amounts are in none of the listing’s own sums', () => {
    const totals: Totals = {
      calls: 3,
      callsLast7d: 2,
      amount: 30_001n,
      amountLast7d: 20_000n,
      transfers: 1,
      amountTransferred: 1_500_000n,
      shared: {
        calls: 7,
        callsLast7d: 6,
        amount: 70_000n,
        amountLast7d: 60_000n,
        transfers: 4,
        amountTransferred: 40n,
      },
    }
    expect(recordOf(held, totals)).toMatchObject({
      calls: { total: 3, last7d: 2 },
      revenue: { amountUsd: '0.030001', last7dUsd: '0.02' },
      transfers: { total: 1, amountUsd: '1.5' },
      shared: {
        calls: { total: 7, last7d: 6 },
        revenue: { amountUsd: '0.07', last7dUsd: '0.06' },
        transfers: { total: 4, amountUsd: '0.00004' },
      },
    })
  })
})

describe('snapshotOf', () => {
  test('default: returns the public facts, and nothing of the owner', () => {
    expect(snapshotOf(held)).toEqual({
      ...common,
      version: 3,
      payTo: [{ network: 'eip155:8453', address: SPLITTER }],
      conformance: conformant,
    })
  })

  test('behavior: a listing whose challenges were never read says nothing of them', () => {
    expect(snapshotOf({ ...held, conformances: {}, listedAt: null })).toMatchObject({
      conformance: null,
      listedAt: null,
    })
  })
})
