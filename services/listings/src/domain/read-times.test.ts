import type { ListingOperation } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { listing, operation, READ_AT } from '../../test/held-listing.ts'
import { asRead, readTimes, saysTheSame } from './read-times.ts'

const [earlier, recorded, later] = [isoTime(READ_AT - 1), isoTime(READ_AT), isoTime(READ_AT + 1)]
const paid = (checkedAt = recorded): ListingOperation => ({
  ...operation,
  payment: operation.payment && { ...operation.payment, checkedAt },
})
const unpaid = (problemAt = recorded): ListingOperation => ({ ...operation, price: null, payment: null, problemAt })
const { problemAt: _, ...neverRead } = unpaid()

describe('asRead', () => {
  test.each([
    ['a later time', paid(), later, paid(later)],
    ['an earlier time', paid(), earlier, paid()],
    ['a later time without a price', unpaid(), later, unpaid(later)],
    ['no time', paid(), null, paid()],
    ['a time of what was never read', neverRead, later, neverRead],
  ])('%s', (_what, before, time, after) => {
    expect(asRead([before], [time])).toEqual([after])
  })

  test('without times, or with too few, operations stay as they were recorded', () => {
    expect(asRead([paid()], null)).toEqual([paid()])
    expect(asRead([paid(), paid()], [later])).toEqual([paid(later), paid()])
  })

  test('readTimes are those that it applies', () => {
    const operations = [paid(later), unpaid(later), neverRead]
    expect(readTimes(operations)).toEqual([later, later, null])
    expect(asRead([paid(), unpaid(), neverRead], readTimes(operations))).toEqual(operations)
  })
})

describe('saysTheSame', () => {
  const of = (...operations: ListingOperation[]) => ({ ...listing, operations })

  test('if only the times differ', () => {
    expect(saysTheSame(of(paid(), unpaid()), of(paid(later), unpaid(later)))).toBe(true)
  })

  test.each([
    ['a price', { price: '0.02' }],
    ['a description', { description: 'New' }],
    ['an amount', { payment: operation.payment && { ...operation.payment, amount: '1' } }],
  ])('not if %s does', (_what, more) => {
    expect(saysTheSame(of(paid()), of({ ...paid(), ...more }))).toBe(false)
  })

  test('not if a conformance does', () => {
    expect(saysTheSame(of(paid()), { ...of(paid()), conformances: {} })).toBe(false)
  })
})
