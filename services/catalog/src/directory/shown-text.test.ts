import { expect, test } from 'vitest'
import type { DirectoryListing } from '../domain/listed.ts'
import { listedOf, seenText, snapshotText } from './shown-text.ts'

const listed: DirectoryListing = {
  snapshot: {
    slug: 'maps',
    name: 'Maps “of” Mars',
    description: 'Every\nstone',
    category: 'data',
    group: 'added',
    provenance: 'self_listed',
    fee: { bps: 500, label: '5% network fee' },
    verification: 'requested',
    operations: [
      { name: 'Ask', method: 'GET', url: 'https://a.example/', description: '', price: null, payment: null },
      {
        name: 'Draw',
        method: 'POST',
        url: 'https://a.example/draw',
        description: 'Draws',
        price: '0.01',
        payment: {
          scheme: 'exact',
          network: 'eip155:8453',
          asset: '0x0000000000000000000000000000000000000001',
          payTo: '0x0000000000000000000000000000000000000002',
          checkedAt: '2026-11-20T12:30:00.000Z',
        },
      },
    ],
  },
  checkedAt: new Date('2026-11-20T12:31:00.000Z'),
  liveness: { uptime7d: 0.5, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 3 },
  conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header', issues: ['no_extra'] },
  mpp: [1],
  calls: 1_200,
}

test.each([
  ['with all it can have', listed],
  ['without checks', { ...listed, checkedAt: null, conformance: { ...listed.conformance, declaredVersion: null } }],
])('a listing %s is read as it was written', (_what, one) => {
  expect(listedOf({ snapshot: snapshotText(one.snapshot), seen: seenText(one) })).toEqual(one)
})
