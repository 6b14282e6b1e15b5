import type { DirectoryListing, Listed, ListedSnapshot } from '../../src/domain/listed.ts'

type Operation = ListedSnapshot['operations'][number]

/** An endpoint whose offer has been read. */
export const pricedOperation = (more: Partial<Operation> = {}): Operation => ({
  name: 'Ask',
  method: 'GET',
  url: 'https://api.example/ask',
  description: 'Answers one question',
  metadataEvidence: 'probe',
  price: '0.01',
  payment: payment(),
  ...more,
})

export const payment = (more: Partial<NonNullable<Operation['payment']>> = {}) => ({
  scheme: 'exact',
  network: 'eip155:8453' as const,
  asset: '0x0000000000000000000000000000000000000001' as const,
  payTo: '0x0000000000000000000000000000000000000002' as const,
  amount: '10000',
  checkedAt: '2026-11-20T12:30:00.000Z',
  ...more,
})

/** An endpoint whose offer was never read. */
export const unreadOperation = (more: Partial<Operation> = {}): Operation =>
  pricedOperation({ price: null, payment: null, ...more })

/** A live, verified listing of one endpoint, as held for display. */
export const listed = (
  snapshot: Partial<ListedSnapshot> = {},
  more: Partial<Listed<ListedSnapshot>> = {},
): Listed<ListedSnapshot> & DirectoryListing => ({
  snapshot: {
    slug: 'answers',
    version: 1,
    name: 'Answers',
    description: 'Answers questions',
    category: 'data',
    status: 'live',
    verification: 'verified',
    group: 'added',
    provenance: 'self_listed',
    fee: { bps: 500, label: '5% network fee' },
    operations: [pricedOperation()],
    payTo: [],
    conformance: null,
    createdAt: '2026-11-18T12:30:00.000Z',
    listedAt: '2026-11-19T12:30:00.000Z',
    updatedAt: '2026-11-20T12:30:00.000Z',
    ...snapshot,
  },
  checkedAt: new Date('2026-11-20T12:31:00.000Z'),
  liveness: { uptime7d: 0.5, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 3 },
  conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header', issues: [] },
  mpp: [],
  calls: 0,
  ...more,
})
