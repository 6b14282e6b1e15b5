import type { Conformance, ShownOffer } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { conformant, listing, offer, operation, READ_AT, THIRD_PARTY, terms } from '../../test/held-listing.ts'
import { operationKey } from './listing.ts'
import { isCurrent, refresh } from './refresh.ts'

const read = (accepts: readonly ShownOffer[], more: { conformance?: Conformance; at?: number } = {}) =>
  refresh(
    listing,
    {
      ...operation,
      accepts,
      conformance: more.conformance ?? conformant,
      checkedAt: isoTime(more.at ?? READ_AT + 1_000),
    },
    terms,
  )

describe('refresh', () => {
  test('default: the same offer only moves checkedAt, and is not published', () => {
    const { listing: after, changed } = read([offer()])
    expect(changed).toBe(false)
    expect(after.operations[0]?.payment?.checkedAt).toBe(isoTime(READ_AT + 1_000))
  })

  test('behavior: a new price replaces the old one', () => {
    expect(read([offer({ amount: '25000' })])).toMatchObject({
      changed: true,
      avoids: undefined,
      listing: { operations: [{ price: '0.025' }] },
    })
  })

  test('behavior: of several offers to the splitter, the one counts that a stock client pays', () => {
    const accepts = [offer({ amount: '30000' }), offer({ amount: '20000' })]
    expect(read(accepts)).toMatchObject({ avoids: undefined, listing: { operations: [{ price: '0.03' }] } })
  })

  test('behavior: a listing with a way to pay that avoids the splitter may not stay live', () => {
    const accepts = [offer(), offer({ payTo: THIRD_PARTY, amount: '1' })]
    expect(read(accepts)).toMatchObject({
      changed: true,
      avoids: expect.stringContaining(`GET https://api.example/quote: It offers exact of 1 base units`),
      listing: { operations: [{ price: '0.01' }] },
    })
  })

  test('behavior: a payee other than the splitter clears the payment, and the issue says so', () => {
    expect(read([offer({ payTo: THIRD_PARTY })])).toMatchObject({
      changed: true,
      avoids: expect.stringContaining(THIRD_PARTY),
      listing: {
        operations: [{ price: null, payment: null }],
        conformances: { [operationKey(operation)]: { issues: ['PAYTO_CHANGED'] } },
      },
    })
  })

  test.each<[string, ShownOffer[]]>([
    ['no offer', []],
    ['another network', [offer({ network: 'eip155:1', payable: false, notPayableReason: 'network' })]],
    ['another token', [offer({ asset: THIRD_PARTY, payable: false, notPayableReason: 'asset' })]],
    ['another scheme', [offer({ scheme: 'upto', payable: false, notPayableReason: 'scheme' })]],
    ['an entry that cannot be paid', [offer({ payable: false, notPayableReason: 'eip712-domain' })]],
  ])('behavior: %s clears the payment, and the problem is named', (_what, accepts) => {
    expect(read(accepts)).toMatchObject({
      changed: true,
      avoids: undefined,
      listing: { operations: [{ price: null, payment: null, problem: expect.stringContaining('no payable') }] },
    })
  })

  test('behavior: a reading that is older than the recorded one, or of another operation, changes nothing', () => {
    expect(read([], { at: READ_AT - 1 })).toMatchObject({ changed: false, listing: { operations: [operation] } })
    const other = { ...operation, method: 'POST' as const, accepts: [], conformance: null, checkedAt: isoTime(READ_AT) }
    expect(refresh(listing, other, terms)).toMatchObject({ changed: false, listing: { operations: [operation] } })
  })

  test('isCurrent: a check of an endpoint that is sold, and not older than what was read of it, payable or not', () => {
    const { method, url } = operation
    const check = (at: number, more = {}) => ({ method, url, checkedAt: isoTime(at), ...more })
    expect(isCurrent(listing, check(READ_AT))).toBe(true)
    expect(isCurrent(listing, check(READ_AT - 1))).toBe(false)
    expect(isCurrent(listing, check(READ_AT, { url: `${url}/other` }))).toBe(false)
    const { payment: _, ...unpaid } = operation
    const cleared = { ...listing, operations: [{ ...unpaid, payment: null, problemAt: isoTime(READ_AT + 9) }] }
    expect([8, 9].map((later) => isCurrent(cleared, check(READ_AT + later)))).toEqual([false, true])
    const unread = { ...listing, operations: [{ ...unpaid, payment: null }] }
    expect(isCurrent(unread, check(0))).toBe(true)
  })

  test('behavior: an older reading does not bring back a price that a newer one cleared', () => {
    const cleared = { ...listing, ...read([], { at: READ_AT + 9_000 }).listing }
    const late = { ...operation, accepts: [offer()], conformance: null, checkedAt: isoTime(READ_AT + 5_000) }
    expect(refresh(cleared, late, terms)).toMatchObject({ changed: false, listing: { operations: cleared.operations } })
    const newer = refresh(cleared, { ...late, checkedAt: isoTime(READ_AT + 10_000) }, terms)
    expect(newer).toMatchObject({ changed: true, listing: { operations: [{ price: operation.price }] } })
    expect(newer.listing.operations[0]).not.toHaveProperty('problemAt')
  })

  test('behavior: a change of conformance is published', () => {
    const conformance = { ...conformant, issues: ['CACHEABLE_402'] }
    expect(read([offer()], { conformance })).toMatchObject({ changed: true })
  })

  test('behavior: without a new conformance, the recorded one stays', () => {
    const checkedAt = isoTime(READ_AT + 1_000)
    const { listing: after } = refresh(listing, { ...operation, accepts: [], conformance: null, checkedAt }, terms)
    expect(after.conformances).toBe(listing.conformances)
  })

  test('behavior: a reading of the same moment as the recorded one counts', () => {
    expect(read([offer({ amount: '25000' })], { at: READ_AT })).toMatchObject({ changed: true })
  })

  test('behavior: a price that is asked for the first time is published', () => {
    const unpaid = { ...operation, price: null, payment: null, problem: 'It was free.' }
    const checkedAt = isoTime(READ_AT - 1_000)
    const held = { ...listing, operations: [unpaid] }
    const { changed, listing: after } = refresh(
      held,
      { ...operation, accepts: [offer()], conformance: null, checkedAt },
      terms,
    )
    expect({ changed, ...after.operations[0] }).toMatchObject({ changed: true, price: '0.01', payment: { checkedAt } })
    expect(after.operations[0]).not.toHaveProperty('problem')
  })

  test('behavior: another reason for being unpaid is published, the same reason is not', () => {
    const unpaid = { ...operation, price: null, payment: null, problem: 'It was free.' }
    const found = (words: string) =>
      refresh(
        { ...listing, operations: [unpaid] },
        { ...operation, accepts: [], conformance: null, checkedAt: isoTime(READ_AT), found: words },
        terms,
      )
    expect(found('It was free.').changed).toBe(false)
    expect(found('It was gone.')).toMatchObject({
      changed: true,
      listing: { operations: [{ problem: 'It was gone.' }] },
    })
  })

  test('behavior: of several operations only the challenged one changes, in its place', () => {
    const [first, last] = [
      { ...operation, url: 'https://api.example/first' },
      { ...operation, method: 'POST' as const },
    ]
    const held = { ...listing, operations: [first, operation, last] }
    const checkedAt = isoTime(READ_AT + 1_000)
    const { listing: after } = refresh(held, { ...operation, accepts: [], conformance: null, checkedAt }, terms)
    expect(after.operations).toEqual([first, expect.objectContaining({ url: operation.url, payment: null }), last])
  })

  test('behavior: an issue that is already noted is not added again', () => {
    const conformance = { ...conformant, issues: ['PAYTO_CHANGED', 'CACHEABLE_402'] }
    const { listing: after } = read([offer({ payTo: THIRD_PARTY })], { conformance })
    expect(after.conformances[operationKey(operation)]?.issues).toEqual(['PAYTO_CHANGED', 'CACHEABLE_402'])
  })
})
