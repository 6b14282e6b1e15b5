import { describe, expect, test } from 'vitest'
import { listing, OWNER, operation, SPLITTER, THIRD_PARTY } from '../../test/held-listing.ts'
import type { Listing } from './listing.ts'
import { factsOf, verificationAfter } from './review.ts'

const described = { ...operation, description: 'Quotes of every minute.' }
const verified: Listing = { ...listing, description: 'Quotes for traders, every minute.', operations: [described] }
const facts = {
  name: 'Quotes',
  description: 'Quotes for traders, every minute.',
  payoutWallet: OWNER,
  payTo: SPLITTER,
  operations: [{ method: 'GET', url: operation.url, name: 'Quote', description: 'Quotes of every minute.' }],
} as const
const reviewed: Listing = { ...verified, reviewed: facts }

const DROPPED = { verification: 'requested', reviewed: null }

test('factsOf: returns what the operator reviews', () => {
  expect(factsOf(verified)).toEqual(facts)
})

describe('verificationAfter', () => {
  test('default: a listing is verified as it is at that moment', () => {
    expect(verificationAfter({ ...verified, verification: 'requested' }, verified)).toEqual({
      verification: 'verified',
      reviewed: facts,
    })
    const outdated = { ...verified, verification: 'requested', name: 'Before' } as const
    expect(verificationAfter(outdated, reviewed)).toEqual({ verification: 'verified', reviewed: facts })
  })

  test.each(['none', 'requested'] as const)('behavior: a listing that is %s has no reviewed facts', (verification) => {
    expect(verificationAfter(reviewed, { ...reviewed, verification })).toEqual({ verification, reviewed: null })
  })

  test.each<[string, Partial<Listing>]>([
    ['nothing', {}],
    ['a price', { operations: [{ ...described, price: '0.02' }] }],
    ['a payment that was lost', { operations: [{ ...described, price: null, payment: null }] }],
    ['the category', { category: 'search' }],
    ['a correction of its description', { description: 'Qoutes for traders, every minute.' }],
    ['a correction of an operation’s', { operations: [{ ...described, description: 'Qoutes of every minute.' }] }],
    ['the splitter’s deployment', { splitter: { ...listing.splitter, deployed: false } }],
  ])('behavior: a listing stays verified, as it was reviewed, after a change of %s', (_what, change) => {
    expect(verificationAfter(reviewed, { ...reviewed, ...change })).toEqual({
      verification: 'verified',
      reviewed: facts,
    })
  })

  test.each<[string, Partial<Listing>]>([
    ['the name, be it by one letter', { name: 'quotes' }],
    ['the description', { description: 'Loans for everybody, every day.' }],
    ['the payout wallet', { payoutWallet: THIRD_PARTY }],
    ['the payee', { splitter: { ...listing.splitter, address: THIRD_PARTY } }],
    ['a method', { operations: [{ ...described, method: 'POST' }] }],
    ['a URL', { operations: [{ ...described, url: 'https://evil.example/quote' }] }],
    ['an operation’s name', { operations: [{ ...described, name: 'Loan' }] }],
    ['an operation’s description', { operations: [{ ...described, description: 'Loans.' }] }],
    ['how many operations there are', { operations: [described, described] }],
    ['its only operation', { operations: [] }],
  ])('behavior: a listing goes back to the queue after a change of %s', (_what, change) => {
    expect(verificationAfter(reviewed, { ...reviewed, ...change })).toEqual(DROPPED)
  })

  test('behavior: a changed description of one operation is not excused by the words of another', () => {
    const second = { ...described, name: 'History', url: 'https://api.example/history' }
    const before = { ...verified, operations: [described, second] }
    const loans = { description: 'Loans.' }
    for (const operations of [
      [{ ...described, ...loans }, second],
      [described, { ...second, ...loans }],
    ]) {
      expect(verificationAfter(before, { ...before, operations })).toEqual(DROPPED)
    }
  })

  test('behavior: edits are measured against what was reviewed, so that small changes cannot add up to a large one', () => {
    const once = { ...reviewed, description: 'Qoutes for tradres, every minute.' }
    expect(verificationAfter(reviewed, once).verification).toBe('verified')
    expect(verificationAfter(once, { ...once, description: 'Qoutes for tradres, evrey minute.' })).toEqual(DROPPED)
  })

  test('behavior: a listing that the previous release verified counts as reviewed before the change', () => {
    expect(verificationAfter(verified, { ...verified, category: 'search' })).toEqual({
      verification: 'verified',
      reviewed: facts,
    })
    expect(verificationAfter(verified, { ...verified, name: 'Loans' })).toEqual(DROPPED)
  })

  test('behavior: if that release kept no descriptions of operations, the current ones count', () => {
    const { name, method, url } = described
    const old = { ...reviewed, reviewed: { ...facts, operations: [{ name, method, url }] } }
    expect(verificationAfter(old, old).verification).toBe('verified')
    expect(verificationAfter(old, { ...old, operations: [{ ...described, name: 'Loan' }] })).toEqual(DROPPED)
  })
})
