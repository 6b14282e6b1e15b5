import type { Address } from '@callboard/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accountKey,
  accountsOf,
  type GasUser,
  limitsOf,
  PIECE_MS,
  pieceOf,
  secondsToNextPiece,
  windowsAt,
} from './gas-budget.ts'

const payTo: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const sponsor: Address = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const origin = '192.0.2.0/24'
const shares = { kept: 30, listed: 50, payee: 10, requester: 20, key: 40, wasted: 2, newPayers: 5, newContracts: 1 }

const user = (change: Partial<GasUser> = {}): GasUser => ({
  ...{ payTo, origin, sponsor: null, priority: 'anonymous', newPayer: null },
  ...change,
})

describe('accountsOf', () => {
  const keys = (change: Partial<GasUser>) => accountsOf(user(change)).map(accountKey)

  test('default: the chain, the payee and the requester’s network', () => {
    expect(keys({})).toEqual(['chain/', `payee/${payTo}`, `requester/${origin}`])
  })

  test('behavior: charges the key holder instead of its payee', () => {
    expect(keys({ sponsor })).toEqual(['chain/', `owner/${sponsor}`, `requester/${origin}`])
  })

  test('behavior: an internal request has no network', () => {
    expect(keys({ origin: null })).toEqual(['chain/', `payee/${payTo}`])
  })

  test.each(['new_payers', 'new_contracts'] as const)('behavior: the total of all %s counts too', (newPayer) => {
    expect(keys({ origin: null, newPayer })).toEqual(['chain/', `payee/${payTo}`, `${newPayer}/`])
  })
})

describe('limitsOf', () => {
  const limits = (change: Partial<GasUser>) =>
    limitsOf(user(change), shares).map(({ scope, measure, percent }) => `${scope} ${measure} ${percent}`)

  test.each<[string, Partial<GasUser>, string[]]>([
    ['a known payer without key', {}, ['chain spent 70', 'payee spent 10', 'requester spent 20']],
    [
      'a known payer with a key',
      { priority: 'keyed', sponsor },
      ['chain spent 85', 'owner spent 40', 'requester spent 40'],
    ],
    ['a known payer of a listed payee', { priority: 'listed' }, ['chain spent 100', 'requester spent 50']],
    [
      'the same with a key',
      { priority: 'listed', sponsor },
      ['chain spent 100', 'owner spent 50', 'requester spent 50'],
    ],
    ['a known payer of ours', { priority: 'own', sponsor }, ['chain spent 100']],
    [
      'a new payer without key',
      { newPayer: 'new_payers' },
      [
        'chain spent 70',
        'payee spent 10',
        'payee wasted 2',
        'requester spent 20',
        'requester wasted 2',
        'new_payers wasted 3.5',
      ],
    ],
    [
      'a new payer with a key',
      { newPayer: 'new_payers', priority: 'keyed', sponsor },
      [
        'chain spent 85',
        'owner spent 40',
        'owner wasted 2',
        'requester spent 40',
        'requester wasted 2',
        'new_payers wasted 4.25',
      ],
    ],
    [
      'a new payer of a listed payee',
      { newPayer: 'new_payers', priority: 'listed' },
      ['chain spent 100', 'requester spent 50', 'requester wasted 2', 'new_payers wasted 5'],
    ],
    [
      'a new payer of a listed payee, with a key',
      { newPayer: 'new_payers', priority: 'listed', sponsor },
      [
        'chain spent 100',
        'owner spent 50',
        'owner wasted 2',
        'requester spent 50',
        'requester wasted 2',
        'new_payers wasted 5',
      ],
    ],
    [
      'a new payer of ours',
      { newPayer: 'new_payers', priority: 'own' },
      ['chain spent 100', 'requester wasted 2', 'new_payers wasted 5'],
    ],
    [
      'a new contract from inside',
      { newPayer: 'new_contracts', origin: null },
      ['chain spent 70', 'payee spent 10', 'payee wasted 2', 'new_contracts wasted 0.7'],
    ],
  ])('default: limits for %s', (_who, change, expected) => expect(limits(change)).toEqual(expected))

  test('behavior: a network may spend no less with keys than without', () => {
    const ofNetwork = (priority: GasUser['priority']) =>
      limitsOf(user({ priority, sponsor }), { ...shares, requester: 60 }).find(({ scope }) => scope === 'requester')
    expect(ofNetwork('keyed')).toMatchObject({ measure: 'spent', percent: 60 })
  })

  test('behavior: each limit names the account that it applies to', () => {
    expect(limitsOf(user({ priority: 'keyed', sponsor, origin: null }), shares)).toEqual([
      { scope: 'chain', subject: '', measure: 'spent', percent: 85 },
      { scope: 'owner', subject: sponsor, measure: 'spent', percent: 40 },
    ])
  })
})

describe('pieces of time', () => {
  const at = (hour: number, minute: number, second = 0, ms = 0) => Date.UTC(2026, 10, 22, hour, minute, second, ms)

  test('default: ten minutes each, counted from the full hour', () => {
    expect(PIECE_MS).toBe(600_000)
    expect(pieceOf(at(10, 0))).toEqual(new Date(at(10, 0)))
    expect(pieceOf(at(10, 9, 59, 999))).toEqual(new Date(at(10, 0)))
    expect(pieceOf(at(10, 10))).toEqual(new Date(at(10, 10)))
  })

  test('behavior: a window covers everything booked within it, and at most one piece more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at(0, 0), max: at(23, 59) }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (now, part) => {
          const HOURS = { hour: 1, day: 24 } as const
          for (const window of ['hour', 'day'] as const) {
            const ms = HOURS[window] * 3_600_000
            const first = windowsAt(now)[window].getTime()
            expect(pieceOf(Math.ceil(now - part * ms)).getTime()).toBeGreaterThanOrEqual(first)
            expect(first).toBeGreaterThan(now - ms - 600_000)
          }
        },
      ),
    )
  })

  test.each([
    ['the whole of one', at(10, 0), 600],
    ['what is left of it', at(10, 4, 30), 330],
    ['a second, never nothing', at(10, 9, 59, 999), 1],
  ])('behavior: the next begins in %s', (_what, now, seconds) => expect(secondsToNextPiece(now)).toBe(seconds))
})
