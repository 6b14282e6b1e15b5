import type { ShownOffer } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import type { Mirrored } from './mirrored.ts'
import { claimable } from './payee.ts'

const A = '0x1111111111111111111111111111111111111111'
const B = '0x2222222222222222222222222222222222222222'
const BASE = 'eip155:8453'
const ARC = 'eip155:5042'

const quote = (payTo: string, network = BASE, more: Partial<ShownOffer> = {}) =>
  ({
    scheme: 'exact',
    network,
    asset: 'usdc',
    amount: '1',
    payTo,
    payable: true,
    notPayableReason: null,
    ...more,
  }) as ShownOffer

const row = (accepts: ShownOffer[], more: Partial<Mirrored> = {}) =>
  ({ slug: 'a', state: 'payable', owner: null, fact: { accepts }, ...more }) as unknown as Mirrored

const byKey = { address: A, network: null } as const
const outcomeOf = (rows: Mirrored[], signer: Parameters<typeof claimable>[1] = byKey) => claimable(rows, signer).outcome

describe('a row can be taken', () => {
  test('by the payee of all its quotes, whatever the letter case', () => {
    expect(claimable([row([quote(A), quote(A, ARC)])], byKey)).toMatchObject({
      outcome: 'claimed',
      rows: [{ slug: 'a' }],
    })
    expect(outcomeOf([row([quote(`0x${'ab'.repeat(20)}`)])], { address: `0x${'AB'.repeat(20)}`, network: null })).toBe(
      'claimed',
    )
  })

  test('not by the payee of only some of them', () => {
    expect(outcomeOf([row([quote(A), quote(B, ARC)])])).toBe('not_payee')
  })

  test('whatever quotes it has that cannot be paid here', () => {
    const elsewhere = quote('SoLana', 'solana:5eykt', { payable: false, notPayableReason: 'network' })
    expect(outcomeOf([row([quote(A), elsewhere])])).toBe('claimed')
    expect(outcomeOf([row([elsewhere])])).toBe('not_payee')
  })

  test('by a contract only on its own chain, because another may hold its address elsewhere', () => {
    expect(outcomeOf([row([quote(A)])], { address: A, network: BASE })).toBe('claimed')
    expect(outcomeOf([row([quote(A)])], { address: A, network: ARC })).toBe('not_payee')
    expect(outcomeOf([row([quote(A), quote(A, ARC)])], { address: A, network: BASE })).toBe('not_payee')
  })

  test.each(['unprobed', 'unpayable', 'stale', 'suspended'] as const)('not while it is %s', (state) => {
    expect(outcomeOf([row([quote(A)], { state })])).toBe('not_payee')
  })

  test('not before our own probe read it', () => {
    expect(outcomeOf([row([], { fact: null })])).toBe('not_payee')
  })
})

describe('an origin', () => {
  test('without rows has no listings', () => {
    expect(outcomeOf([])).toBe('no_listings')
  })

  test('whose rows that pay the signer all have owners is already owned, and otherwise the free ones are taken', () => {
    const owned = row([quote(A)], { owner: B, slug: 'b' })
    expect(outcomeOf([owned])).toBe('already_owned')
    expect(outcomeOf([owned, row([quote(B)])])).toBe('already_owned')
    expect(claimable([owned, row([quote(A)])], byKey)).toMatchObject({ rows: [{ slug: 'a' }] })
  })

  test('whose owned rows pay someone else has none that pays the signer', () => {
    expect(outcomeOf([row([quote(B)], { owner: B })])).toBe('not_payee')
  })
})
