import type { Address } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { GasBook, type GasUse } from './gas-book.ts'
import { accountKey, type GasUser, type Scope } from './gas-budget.ts'

const payTo: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const owner: Address = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const origin = '192.0.2.0/24'
const shares = { kept: 30, listed: 50, payee: 10, requester: 20, key: 40, wasted: 2, newPayers: 5, newContracts: 1 }
const rules = { budget: { hour: 100_000, day: 1_000_000 }, shares }
const subjects: Partial<Record<Scope, string>> = { payee: payTo, requester: origin, owner }

const user = (change: Partial<GasUser> = {}): GasUser => ({
  ...{ payTo, origin, sponsor: null, priority: 'anonymous', newPayer: null },
  ...change,
})
const used = (scope: Scope, change: Partial<GasUse>): Map<string, GasUse> => {
  const none = { spent: 0, wasted: 0 }
  const key = accountKey({ scope, subject: subjects[scope] ?? '' })
  return new Map([[key, { hour: none, day: none, inFlight: none, ...change }]])
}
const judge = (one: GasUser, gas: number, use: Map<string, GasUse> = new Map()) =>
  new GasBook(rules, use).judge(one, gas)
const both = (spent: number, wasted = 0) => ({ hour: { spent, wasted }, day: { spent, wasted } })

describe('GasBook', () => {
  test('default: gas that fits every budget is free', () => {
    expect(judge(user(), 1_000)).toEqual({ kind: 'free' })
  })

  test.each<[string, Scope, Partial<GasUser>, Partial<GasUse>]>([
    ['a payee without listing or key', 'payee', {}, both(9_500)],
    ['a requester’s network', 'requester', {}, both(19_500)],
    ['a network with payments to listings', 'requester', { priority: 'listed' }, both(49_500)],
    ['a key holder', 'owner', { sponsor: owner, priority: 'keyed' }, both(39_500)],
    ['a payee that new payers wasted gas of', 'payee', { newPayer: 'new_payers' }, both(1_500, 1_500)],
    ['a network whose new payers wasted gas', 'requester', { newPayer: 'new_payers' }, both(1_500, 1_500)],
    ['the new payers together', 'new_payers', { newPayer: 'new_payers' }, both(0, 3_000)],
    ['the new contracts together', 'new_contracts', { newPayer: 'new_contracts' }, both(0, 0)],
    ['the chain, of which a share is kept', 'chain', {}, both(69_500)],
  ])('spent: %s', (_what, scope, change, use) => {
    expect(judge(user(change), 1_000, used(scope, use))).toEqual({ kind: 'spent', scope })
  })

  test('behavior: a budget can be used up, but not overdrawn', () => {
    expect(judge(user(), 1_000, used('payee', both(9_000)))).toEqual({ kind: 'free' })
    expect(judge(user(), 1_001, used('payee', both(9_000)))).toEqual({ kind: 'spent', scope: 'payee' })
    expect(judge(user(), 10_001)).toEqual({ kind: 'spent', scope: 'payee' })
  })

  test('behavior: waits for gas that is only reserved', () => {
    const reserved = (spent: number) => used('payee', { ...both(1_000), inFlight: { spent, wasted: 0 } })
    expect(judge(user(), 1_000, reserved(8_000))).toEqual({ kind: 'free' })
    expect(judge(user(), 1_000, reserved(8_001))).toEqual({ kind: 'busy' })
  })

  test('behavior: does not wait for a spent budget, even while another one is only reserved', () => {
    const inFlight = { spent: 70_000, wasted: 0 }
    const use = new Map([...used('chain', { inFlight }), ...used('payee', both(10_000))])
    expect(judge(user(), 1_000, use)).toEqual({ kind: 'spent', scope: 'payee' })
  })

  test('behavior: the daily budget binds where the hourly one does not', () => {
    const day = { spent: 99_500, wasted: 0 }
    expect(judge(user(), 1_000, used('payee', { day }))).toEqual({ kind: 'spent', scope: 'payee' })
    const inFlight = { spent: 5_000, wasted: 0 }
    const nearly = { spent: 95_000, wasted: 0 }
    expect(judge(user(), 1_000, used('payee', { day: nearly, inFlight }))).toEqual({ kind: 'busy' })
  })

  test('behavior: an account that has used nothing is still bound by the daily budget', () => {
    const book = new GasBook({ budget: { hour: 100_000, day: 10_000 }, shares }, new Map())
    expect([book.judge(user(), 1_000), book.judge(user(), 1_001)]).toEqual([
      { kind: 'free' },
      { kind: 'spent', scope: 'payee' },
    ])
  })

  test('behavior: as the chain runs low, listed payees are served longest and key holders next', () => {
    const low = (spent: number) => used('chain', both(spent))
    const keyed = user({ sponsor: owner, priority: 'keyed' })
    const listed = user({ priority: 'listed' })
    expect([user(), keyed, listed].map((one) => judge(one, 1_000, low(69_500)).kind)).toEqual(['spent', 'free', 'free'])
    expect([keyed, listed].map((one) => judge(one, 1_000, low(84_500)).kind)).toEqual(['spent', 'free'])
    expect(judge(listed, 1_000, low(99_500))).toEqual({ kind: 'spent', scope: 'chain' })
    const full = used('owner', both(40_000))
    const listedWithKey = user({ sponsor: owner, priority: 'listed' })
    expect([keyed, listedWithKey].map((one) => judge(one, 1_000, full).kind)).toEqual(['spent', 'free'])
  })

  test('behavior: a known payer is not shut out by the gas that new payers wasted', () => {
    const wasted = new Map([
      ...used('payee', both(5_000, 5_000)),
      ...used('requester', both(5_000, 5_000)),
      ...used('new_payers', both(0, 5_000)),
    ])
    expect(judge(user(), 1_000, wasted)).toEqual({ kind: 'free' })
  })

  test('behavior: a reservation counts for the next payment of the same moment', () => {
    const book = new GasBook(rules, new Map())
    book.reserve(user({ newPayer: 'new_payers' }), 1_500)
    expect(book.judge(user({ newPayer: 'new_payers', origin: null }), 1_000)).toEqual({ kind: 'busy' })
    expect(book.judge(user(), 1_000)).toEqual({ kind: 'free' })
  })

  test('behavior: a reservation adds to earlier ones, for each account and both measures', () => {
    const inFlight = { spent: 3_000, wasted: 1_000 }
    const newcomer = user({ newPayer: 'new_payers' })
    const book = new GasBook(rules, used('payee', { inFlight }))
    book.reserve(newcomer, 300)
    book.reserve(newcomer, 300)
    // 2,000 may be wasted on the payee, of which 1,600 are reserved.
    expect([book.judge(newcomer, 400).kind, book.judge(newcomer, 401).kind]).toEqual(['free', 'busy'])
    // 10,000 may be spent on it, of which 3,600 are reserved.
    expect([book.judge(user(), 6_400).kind, book.judge(user(), 6_401).kind]).toEqual(['free', 'busy'])
    const elsewhere = user({ payTo: owner, newPayer: 'new_payers' })
    // 2,000 may be wasted by the requester's network, of which 600 are reserved.
    expect([book.judge(elsewhere, 1_400).kind, book.judge(elsewhere, 1_401).kind]).toEqual(['free', 'busy'])
  })

  test('behavior: gas reserved for a known payer does not count as wasted', () => {
    const book = new GasBook(rules, new Map())
    book.reserve(user(), 8_000)
    expect(book.judge(user({ newPayer: 'new_payers' }), 2_000)).toEqual({ kind: 'free' })
    expect(book.judge(user(), 2_001)).toEqual({ kind: 'busy' })
  })
})
