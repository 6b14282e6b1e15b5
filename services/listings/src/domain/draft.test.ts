import { expect, test } from 'vitest'
import { newDraft } from './draft.ts'

const published = {
  owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ...{ name: 'Tides', description: 'When the sea rises', category: 'data', network: 'eip155:8453' },
  payoutWallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  splitter: { address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', factory: '0x01', deployed: false },
  ...{ operations: [], conformances: {} },
} as unknown as Parameters<typeof newDraft>[0]

test('a newly published listing is a draft in its owner’s words that was never live, checked or verified', () => {
  expect(newDraft(published, 1_000)).toStrictEqual({
    ...published,
    ...{ version: 1, status: 'draft', verification: 'none', group: 'added', provenance: 'self_listed' },
    fee: { bps: 500, label: '5% network fee' },
    ...{ otherSplitters: [], suspendedReason: null, rejection: null, reviewed: null },
    liveness: { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 },
    ...{ createdAt: 1_000, listedAt: null, updatedAt: 1_000, withdrawnAt: null },
  })
})
