import { describe, expect, test } from 'vitest'
import type { Rejection } from '../listing.ts'
import type { Held } from './held.ts'
import { afterAction, heldFacts, heldTransition, rejectionOf, statusOf, verificationOf } from './held-row.ts'
import type { Mirrored } from './mirrored.ts'

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
const PAYEE = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' as const
const OTHER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906' as const
const REJECTION: Rejection = { kind: 'rejected', at: 5, reason: 'It sells nothing.' }
const held: Held = {
  ...{ name: 'Tides', description: 'When the sea rises', status: 'live', verification: 'none' },
  ...{ reviewed: null, rejection: null },
}
const row = (more: Partial<Mirrored> = {}, ofOwner: Partial<Held> = {}) =>
  ({
    ...{ slug: 'tides', method: 'GET', url: 'https://a.example/tides', state: 'payable', stateSince: 1, reason: null },
    claim: { title: 'Claimed', description: 'As claimed', category: 'data', offers: [] },
    terms: [{ scheme: 'exact', network: 'eip155:8453', asset: '0x01', payTo: PAYEE.toLowerCase() }],
    ...{ owner: OWNER, takenDown: null, held: { ...held, ...ofOwner } },
    ...more,
  }) as unknown as Mirrored & { held: Held }
const facts = {
  ...{ name: 'Tides', description: 'When the sea rises', payoutWallet: PAYEE, payTo: PAYEE },
  operations: [{ method: 'GET', url: 'https://a.example/tides', name: '', description: '' }],
} as const

describe('statusOf', () => {
  test.each(['draft', 'suspended', 'rejected'] as const)(
    'a row that its owner or the operator made %s has that status',
    (status) => {
      expect(statusOf(row({ state: 'suspended' }, { status }))).toBe(status)
      expect(statusOf(row({}, { status }))).toBe(status)
    },
  )

  test('any other row is live, unless it asks to be paid in another way than before', () => {
    const states = ['unprobed', 'payable', 'unpayable', 'stale'] as const
    for (const state of states)
      expect([statusOf(row({ state })), statusOf(row({ state, held: null }))]).toEqual(['live', 'live'])
    expect(statusOf(row({ state: 'suspended' }))).toBe('suspended')
    expect(statusOf(row({ state: 'suspended', held: null }))).toBe('suspended')
  })
})

describe('heldFacts', () => {
  test('are the owner’s words if there is an owner, else the source’s, and the payee of the first term', () => {
    expect(heldFacts(row())).toEqual(facts)
    expect(heldFacts(row({ held: null }))).toEqual({ ...facts, name: 'Claimed', description: 'As claimed' })
    for (const terms of [null, []])
      expect(heldFacts(row({ terms }))).toMatchObject({ payoutWallet: OWNER, payTo: OWNER })
  })

  test('name the payee that is asked now, and the reviewed one while nothing is asked', () => {
    const accepts = [{ scheme: 'exact', payable: true, network: 'eip155:8453', asset: '0x01', payTo: OTHER }]
    const asking = row({ fact: { accepts } as unknown as Mirrored['fact'] }, { reviewed: facts })
    expect(heldFacts(asking)).toMatchObject({ payoutWallet: OTHER, payTo: OTHER })
    const silent = row(
      { fact: { accepts: [] } as unknown as Mirrored['fact'] },
      { reviewed: { ...facts, payTo: OTHER } },
    )
    expect(heldFacts(silent)).toMatchObject({ payTo: OTHER })
  })
})

describe('verificationOf', () => {
  test('a row that has no owner, or is not live, is not verified', () => {
    const verified = { verification: 'verified', reviewed: facts } as const
    expect(verificationOf(row({ held: null }))).toBe('none')
    expect(verificationOf(row({}, { ...verified, status: 'suspended' }))).toBe('none')
    expect(verificationOf(row({ state: 'suspended' }, verified))).toBe('none')
  })

  test('a row stays verified while it matches what was reviewed, and then awaits a review', () => {
    const verified = { verification: 'verified', reviewed: facts } as const
    expect(verificationOf(row({}, verified))).toBe('verified')
    expect(verificationOf(row({}, { ...verified, name: 'Rivers' }))).toBe('requested')
    expect(verificationOf(row({ url: 'https://a.example/rivers' }, verified))).toBe('requested')
  })

  test('without a review a row keeps its recorded verification', () => {
    for (const verification of ['none', 'requested', 'verified'] as const)
      expect(verificationOf(row({}, { verification }))).toBe(verification)
    expect(verificationOf(row({}, { verification: 'requested', reviewed: { ...facts, name: 'x' } }))).toBe('requested')
  })
})

test('rejectionOf: a take-down of the row takes precedence over a verdict on its owner’s listing', () => {
  const takenDown: Rejection = { kind: 'suspended', at: 6, reason: null }
  expect(rejectionOf(row({ takenDown }, { rejection: REJECTION }))).toBe(takenDown)
  expect(rejectionOf(row({}, { rejection: REJECTION }))).toBe(REJECTION)
  expect([rejectionOf(row()), rejectionOf(row({ held: null }))]).toEqual([null, null])
})

describe('heldTransition', () => {
  test('moves a claimed row as it would move a listing', () => {
    expect(heldTransition(row(), 'suspend')).toEqual({ status: 'suspended', verification: 'none' })
    expect(heldTransition(row({}, { status: 'draft' }), 'activate')).toEqual({ status: 'live', verification: 'none' })
    expect(heldTransition(row(), 'activate')).toBeNull()
  })

  test('is prevented by an open verdict, and by a review that was already requested', () => {
    expect(heldTransition(row({}, { status: 'draft', rejection: REJECTION }), 'activate')).toBeNull()
    expect(heldTransition(row({}, { verification: 'requested' }), 'request_verification')).toBeNull()
  })

  test('does not move a row without an owner', () => expect(heldTransition(row({ held: null }), 'suspend')).toBeNull())
})

describe('afterAction', () => {
  const [down, live] = [
    { status: 'suspended', verification: 'none' },
    { status: 'live', verification: 'none' },
  ] as const

  test('a verified row keeps what was reviewed, and a row that is no longer verified forgets it', () => {
    const verified = { status: 'live', verification: 'verified' } as const
    expect(afterAction(row(), 'verify', verified, 9).held).toEqual({ ...held, ...verified, reviewed: facts })
    const earlier = { ...facts, name: 'Earlier' }
    const before = row({}, { verification: 'verified', reviewed: earlier })
    expect(afterAction(before, 'suspend', down, 9).held).toEqual({ ...held, ...down })
    expect(afterAction(before, 'reopen', verified, 9).held?.reviewed).toEqual(earlier)
  })

  test('an activated row is probed again before it has a price', () => {
    const before = row({ state: 'payable', reason: 'It was so.' }, { status: 'draft' })
    expect(afterAction(before, 'activate', live, 9)).toEqual({
      ...{ ...before, held, state: 'unprobed', reason: null, stateSince: 9 },
    })
  })

  test('any other action leaves the probe’s result as it is, and so does activating a row suspended for its terms', () => {
    expect(afterAction(row(), 'suspend', down, 9)).toEqual(row({}, { status: 'suspended' }))
    const suspended = row({ state: 'suspended', reason: 'It changed.' }, { status: 'draft' })
    expect(afterAction(suspended, 'activate', live, 9)).toEqual({ ...suspended, held })
  })
})
