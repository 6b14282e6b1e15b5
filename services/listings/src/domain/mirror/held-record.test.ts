import { describe, expect, test } from 'vitest'
import type { Rejection } from '../listing.ts'
import type { Held } from './held.ts'
import { heldRecord } from './held-record.ts'
import type { Mirrored } from './mirrored.ts'

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const held: Held = {
  ...{ name: 'Tides', description: 'When the sea rises', status: 'live', verification: 'none' },
  ...{ reviewed: null, rejection: null },
}
const row = (more: Partial<Mirrored> = {}): Mirrored => ({
  ...{ slug: 'tides', version: 7, method: 'GET', url: 'https://a.example/tides', claimSource: 'one' },
  claim: { title: 'Claimed', description: 'As claimed', category: 'data', offers: [] },
  ...{ fact: null, terms: null, state: 'unprobed', stateSince: 0, reason: null, okAt: null },
  ...{ owner: OWNER, ownedSince: 0, held, createdAt: 0, updatedAt: 0, unnamedSince: null },
  ...more,
})

describe('heldRecord', () => {
  test('default: returns the public facts and the payout wallet, but no splitter, version, payees or conformance', () => {
    const record = heldRecord(row())
    expect(record).toMatchObject({
      ...{ slug: 'tides', name: 'Tides', description: 'When the sea rises', status: 'live' },
      ...{ suspendedReason: null, rejection: null, suspension: null, payoutWallet: OWNER, splitter: null },
      ...{ calls: { total: 0, last7d: 0 }, shared: { calls: { total: 0, last7d: 0 } } },
      liveness: { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 },
    })
    for (const member of ['version', 'payTo', 'conformance']) expect(record).not.toHaveProperty(member)
  })

  test('behavior: the liveness is that of the row’s readings', () => {
    const liveness = { uptime7d: 0.5, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 3 }
    const fact = { kind: 'x402', state: 'ok_402', accepts: [], conformance: null, checkedAt: 1, liveness } as const
    expect(heldRecord(row({ fact: { ...fact, accepts: [] } })).liveness).toEqual(liveness)
  })

  test('behavior: a suspended row gives its reason, and a row in any other state gives none', () => {
    expect(heldRecord(row({ state: 'suspended', reason: 'It changed.' })).suspendedReason).toBe('It changed.')
    expect(heldRecord(row({ state: 'stale', reason: 'It is old.' })).suspendedReason).toBeNull()
  })

  test('behavior: the operator’s verdict on the row is shown before the one on its owner’s listing', () => {
    const rejection: Rejection = { kind: 'rejected', at: 0, reason: 'It sells nothing.' }
    const takenDown: Rejection = { kind: 'suspended', at: 0, reason: 'It is a fraud.' }
    const shown = (one: Rejection) => ({ at: '1970-01-01T00:00:00.000Z', reason: one.reason })
    expect(heldRecord(row({ held: { ...held, rejection } }))).toMatchObject({
      ...{ rejection: shown(rejection), suspension: null },
    })
    expect(heldRecord(row({ takenDown, held: { ...held, rejection } }))).toMatchObject({
      ...{ rejection: null, suspension: shown(takenDown) },
    })
    expect(heldRecord(row({ held: null }))).toMatchObject({ rejection: null, suspension: null })
  })
})
