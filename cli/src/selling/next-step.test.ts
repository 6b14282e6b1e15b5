import type { ListingRecord } from '@callboard/contract'
import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'

const splitter = { network: 'eip155:8453', address: '0xSplitter', deployed: true }
const operations = [{ name: 'Tides', payment: { payTo: '0xSplitter' } }]
const listing = (more: object) =>
  ({
    ...{ slug: 'tides', status: 'draft', verification: 'none', rejection: null, suspension: null },
    ...{ suspendedReason: null, splitter, operations },
    ...more,
  }) as unknown as ListingRecord

test.each([
  [
    'a draft that pays elsewhere',
    { operations: [{ name: 'Tides', payment: null }] },
    'Set payTo of Tides to 0xSplitter on eip155:8453.',
  ],
  ['a draft without splitter', { splitter: { ...splitter, deployed: false } }, 'callboard sell deploy tides'],
  ['a draft', {}, 'callboard sell activate tides'],
  ['a live listing', { status: 'live' }, 'callboard sell verify tides'],
  ['one under review', { status: 'live', verification: 'requested' }, 'Wait for the operator’s review.'],
  ['a verified one', { status: 'live', verification: 'verified' }, undefined],
  ['one that its owner suspended', { status: 'suspended' }, 'callboard sell activate tides'],
  ['a broken endpoint', { status: 'live', operations: [{ name: 'Tides', problem: 'down' }] }, 'Fix Tides (down).'],
])('%s', (_what, more, step) => {
  expect(nextStep(listing(more))).toBe(step)
})

test('the operator’s reason comes first', () => {
  const rejection = { at: '2026-12-01T00:00:00Z', reason: 'Wrong price.' }
  expect(nextStep(listing({ status: 'rejected', rejection }))).toContain('(Wrong price.)')
})

test('no command is suggested with a slug that is none', () => {
  expect(nextStep(listing({ slug: 'tides; rm -rf ~' }))).toBeUndefined()
})
