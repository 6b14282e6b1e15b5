import { describe, expect, test } from 'vitest'
import { listing, operation, SPLITTER, THIRD_PARTY } from '../../test/held-listing.ts'
import { payeeWarnings, searchWarnings, warningsOf } from './warnings.ts'

const QUOTE = operation.url
const HISTORY = 'https://api.example/history'
const selling = (url: string, price: string | null) => ({ ...operation, url, price })
const other = (slug: string, url: string, price: string | null, more: object = {}) => ({
  ...listing,
  slug,
  operations: [selling(url, price)],
  ...more,
})

const codes = (sharing: Parameters<typeof warningsOf>[1], price: string | null = '0.01') =>
  warningsOf({ ...listing, operations: [selling(QUOTE, price)] }, sharing).map(({ code }) => code)

describe('warningsOf', () => {
  test('default: returns none if each listing of the wallet has its own prices and URLs', () => {
    expect(codes([])).toEqual([])
    expect(codes([listing, other('history', HISTORY, '0.02')])).toEqual([])
  })

  test('shared_price: another listing asks the same price for another URL', () => {
    const held = { ...listing, operations: [selling('https://api.example/free', '0.05'), selling(QUOTE, '0.01')] }
    expect(warningsOf(held, [listing, other('weather', HISTORY, '0.03'), other('history', HISTORY, '0.01')])).toEqual([
      {
        code: 'shared_price',
        field: 'operations.1.url',
        message: expect.stringMatching(/^Quote: history .* also asks 0.01/),
      },
    ])
  })

  test('shared_resource: another listing sells the same URL, whatever its price and query', () => {
    expect(
      warningsOf(listing, [other('history', HISTORY, '0.01'), other('copy', `${QUOTE}?symbol=ABC`, '0.05')]),
    ).toEqual([
      {
        code: 'shared_resource',
        field: 'operations.0.url',
        message: expect.stringMatching(/^Quote: copy .* same URL/),
      },
    ])
  })

  test('behavior: every operation of another listing counts', () => {
    const many = { ...other('many', HISTORY, '0.02'), operations: [selling(HISTORY, '0.02'), selling(QUOTE, '0.03')] }
    expect(codes([many])).toEqual(['shared_resource'])
    expect(codes([{ ...many, operations: [selling(HISTORY, '0.02'), selling(HISTORY, '0.01')] }])).toEqual([
      'shared_price',
    ])
  })

  test('behavior: an operation without a price shares none', () => {
    expect(codes([other('history', HISTORY, null)], null)).toEqual([])
    expect(codes([other('history', HISTORY, null)])).toEqual([])
  })

  test('behavior: a draft counts for its own owner, who may activate it, and is not named to others', () => {
    expect(codes([other('draft', HISTORY, '0.01', { status: 'draft' })])).toEqual(['shared_price'])
    expect(codes([other('draft', HISTORY, '0.01', { status: 'draft', owner: THIRD_PARTY })])).toEqual([])
    expect(codes([other('live', HISTORY, '0.01', { owner: THIRD_PARTY })])).toEqual(['shared_price'])
  })
})

describe('payeeWarnings', () => {
  const { payment } = operation
  const drafted = (payTo: string | null) => ({ ...operation, payment: payTo && payment ? { ...payment, payTo } : null })
  const warned = (...payees: (string | null)[]) =>
    payeeWarnings({ ...listing, operations: payees.map(drafted) as (typeof operation)[] })

  test('not_paid_to_splitter: names each operation that pays another wallet or cannot be paid, and whom to pay', () => {
    const message = expect.stringContaining(`Set payTo of its entry on ${listing.network} to ${SPLITTER}`)
    expect(warned(SPLITTER, THIRD_PARTY, null)).toEqual([
      { code: 'not_paid_to_splitter', field: 'operations.1.url', message },
      { code: 'not_paid_to_splitter', field: 'operations.2.url', message },
    ])
  })

  test('behavior: returns none if each operation pays the splitter', () => {
    expect(warned(SPLITTER)).toEqual([])
  })
})

describe('searchWarnings', () => {
  test.each(['none', 'requested'] as const)(
    'hidden_until_verified: a live listing whose verification is %s',
    (verification) => {
      expect(searchWarnings({ status: 'live', verification })).toEqual([
        { code: 'hidden_until_verified', field: 'verification', message: expect.stringContaining('includeUnverified') },
      ])
    },
  )

  test('behavior: returns none if search shows the listing, or its owner cannot expect it there', () => {
    expect(searchWarnings({ status: 'live', verification: 'verified' })).toEqual([])
    for (const status of ['draft', 'suspended', 'rejected'] as const) {
      expect(searchWarnings({ status, verification: 'none' })).toEqual([])
    }
  })
})
