import type { Address } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { GasBook } from './gas-book.ts'
import { admitPayers, type Candidate, type PayerExposure } from './reservation.ts'

const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const payTo = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const rules = { start: 5, most: 50 }
const shares = { kept: 30, listed: 50, payee: 10, requester: 20, key: 30, wasted: 2, newPayers: 5, newContracts: 1 }

const payment = (amount: bigint, balance: bigint, change: Partial<Candidate> = {}): Candidate => ({
  ...{ payer, amount, balance, balanceAgeMs: 0, hasCode: false, gas: 100 },
  ...{ payTo, origin: null, sponsor: null, priority: 'anonymous' },
  ...change,
})
const many = (count: number, change: Partial<Candidate> = {}) =>
  Array.from({ length: count }, () => payment(1n, 999n, change))

function admit(
  candidates: readonly Candidate[],
  record: Partial<PayerExposure> = {},
  { hour = 1_000_000_000, room = 1_000 } = {},
): string[] {
  const exposures = new Map<Address, PayerExposure>([
    [payer, { reserved: 0n, sinceDebitMs: 60_000, inFlight: 0, wasted: 0, credit: 0, ...record }],
  ])
  const book = new GasBook({ budget: { hour, day: 10 * hour }, shares }, new Map())
  return admitPayers(candidates, exposures, rules, book, room).map((one) =>
    'scope' in one ? `${one.scope} ${one.kind}` : one.kind,
  )
}
const payersOf = (count: number) =>
  Array.from({ length: count }, (_, index): Address => `0x${String(index).padStart(40, '0')}`)
const goes = (count: number) => Array.from({ length: count }, () => 'goes')
const queues = (count: number) => Array.from({ length: count }, () => 'queues')

describe('admitPayers', () => {
  test('default: a payer that has the money goes ahead', () => {
    expect(admit([payment(5n, 5n), payment(5n, 9n, { payer: other })])).toEqual(['goes', 'goes'])
  })

  test('behavior: returns the terms under which a payment was signed', () => {
    const book = () => new GasBook({ budget: { hour: 1_000_000, day: 1_000_000 }, shares }, new Map())
    const termsOf = (hasCode: boolean, credit: number) =>
      admitPayers(
        [payment(1n, 1n, { hasCode })],
        new Map([[payer, { reserved: 0n, sinceDebitMs: 60_000, inFlight: 0, wasted: 0, credit }]]),
        rules,
        book(),
        1,
      )
    expect(termsOf(false, 4)).toEqual([{ kind: 'goes', terms: { weight: 1, newPayer: 'new_payers' } }])
    expect(termsOf(false, 5)).toEqual([{ kind: 'goes', terms: { weight: 1, newPayer: null } }])
    expect(termsOf(true, 49)).toEqual([{ kind: 'goes', terms: { weight: 2, newPayer: 'new_contracts' } }])
    expect(termsOf(true, 50)).toEqual([{ kind: 'goes', terms: { weight: 2, newPayer: null } }])
  })

  test('behavior: waits where the payer was debited after its balance was read', () => {
    const aged = (balanceAgeMs: number) => admit([payment(1n, 9n, { balanceAgeMs })], { sinceDebitMs: 100 })
    expect([aged(99), aged(100), aged(101)]).toEqual([['goes'], ['waits'], ['waits']])
    expect(admit([payment(1n, 9n)], { sinceDebitMs: 0 })).toEqual(['waits'])
    expect(admit([payment(1n, 9n, { payer: other, balanceAgeMs: 60_000 })])).toEqual(['goes'])
  })

  test('behavior: a debit in the future, by a clock that was set back since, makes no payment wait', () => {
    expect(admit([payment(1n, 9n)], { sinceDebitMs: -1 })).toEqual(['goes'])
  })

  test('behavior: money that is on its way counts as gone', () => {
    expect(admit([payment(5n, 10n), payment(4n, 10n)], { reserved: 6n })).toEqual(['waits', 'goes'])
  })

  test('behavior: two payments of one list never move more than the payer has', () => {
    expect(admit([payment(5n, 9n), payment(5n, 9n), payment(4n, 9n)])).toEqual(['goes', 'waits', 'goes'])
  })

  test('behavior: a burst of a new payer goes in turns, five at a time', () => {
    expect(admit(many(8))).toEqual([...goes(5), ...queues(3)])
    expect(admit(many(3), { inFlight: 4 })).toEqual([...goes(1), ...queues(2)])
  })

  test('behavior: the allowance grows with settled payments, up to its maximum', () => {
    expect(admit(many(20), { credit: 7 })).toEqual([...goes(12), ...queues(8)])
    expect(admit(many(60), { credit: 1_000 })).toEqual([...goes(50), ...queues(10)])
  })

  test('behavior: wasted payments count like those in flight, and refuse the payer once they fill its allowance', () => {
    expect(admit(many(3), { wasted: 3, inFlight: 1 })).toEqual([...goes(1), ...queues(2)])
    expect(admit(many(2), { wasted: 5 })).toEqual(['payer spent', 'payer spent'])
    expect(admit([payment(1n, 9n, { payer: other })], { wasted: 5 })).toEqual(['goes'])
  })

  test('behavior: a payer with code counts twice, because it may burn the gas of a whole transfer', () => {
    expect(admit(many(4, { hasCode: true }))).toEqual([...goes(2), ...queues(2)])
    expect(admit(many(1, { hasCode: true }), { wasted: 4 })).toEqual(['payer spent'])
    expect(admit(many(1, { hasCode: true }), { wasted: 3 })).toEqual(['goes'])
  })

  test('behavior: the first payment of a payer fits, whatever its weight', () => {
    const least = { start: 1, most: 1 }
    const book = new GasBook({ budget: { hour: 1_000_000, day: 1_000_000 }, shares }, new Map())
    const kinds = admitPayers(many(2, { hasCode: true }), new Map(), least, book, 9).map(({ kind }) => kind)
    expect(kinds).toEqual(['goes', 'queues'])
  })

  test('behavior: spent gas refuses a payment before its money or place is checked', () => {
    // A tenth of 300 for a payee without listing or key.
    const judged = (gas: number) => admit(many(1, { balance: 0n, gas }), { credit: 5 }, { hour: 300 })
    expect(judged(30)).toEqual(['waits'])
    expect(judged(31)).toEqual(['payee spent'])
  })

  test('behavior: a payment without money waits, even where there is no place for it', () => {
    expect(admit([payment(9n, 1n), payment(1n, 1n)], {}, { room: 0 })).toEqual(['waits', 'queues'])
  })

  test('behavior: a known payer can wait next to any number of new ones', () => {
    const crowd = payersOf(2).flatMap((one) => many(64, { payer: one, balance: 0n }))
    expect(admit(crowd)).toEqual(Array.from({ length: 128 }, () => 'waits'))
    const one = payment(1n, 0n)
    expect(admit([...crowd, one]).at(-1)).toBe('new_payers crowded')
    expect(admit([...crowd, one], { credit: 5 }).at(-1)).toBe('waits')
    const contract = payment(1n, 0n, { hasCode: true })
    expect(admit([...crowd, contract], { credit: 5 }).at(-1)).toBe('new_contracts crowded')
  })

  test('behavior: a new payer can wait next to any number of known ones', () => {
    const known = new Map(
      payersOf(2).map((one) => [one, { reserved: 0n, sinceDebitMs: 60_000, inFlight: 0, wasted: 0, credit: 5 }]),
    )
    const crowd = payersOf(2).flatMap((one) => many(64, { payer: one, balance: 0n }))
    const book = new GasBook({ budget: { hour: 1_000_000_000, day: 1_000_000_000 }, shares }, new Map())
    const admitted = admitPayers([...crowd, payment(1n, 0n)], known, rules, book, 1)
    expect(admitted).toEqual(Array.from({ length: 129 }, () => ({ kind: 'waits' })))
  })

  test('behavior: caps how many payments of one payer and of all new payers wait, and turns the rest away', () => {
    expect(admit(many(80)).slice(69)).toEqual(Array.from({ length: 11 }, () => 'payer crowded'))
    const admitted = admit(payersOf(3).flatMap((one) => many(69, { payer: one })))
    expect(admitted.filter((one) => one === 'queues')).toHaveLength(128)
    expect(admitted.filter((one) => one === 'new_payers crowded')).toHaveLength(64)
  })

  test('behavior: caps how many payments of one network wait, however many payers it has', () => {
    const origin = '192.0.2.0/24'
    const known = new Map(
      payersOf(9).map((one) => [one, { reserved: 0n, sinceDebitMs: 60_000, inFlight: 0, wasted: 0, credit: 5 }]),
    )
    const book = new GasBook({ budget: { hour: 1_000_000_000, day: 1_000_000_000 }, shares }, new Map())
    const crowd = payersOf(9).flatMap((one) => many(20, { payer: one, origin }))
    const elsewhere = payment(1n, 9n, { origin: '198.51.100.0/24' })
    const admitted = admitPayers([...crowd, elsewhere], known, rules, book, 0)
    expect(admitted.slice(0, 128)).toEqual(Array.from({ length: 128 }, () => ({ kind: 'queues' })))
    expect(admitted.slice(128, 180)).toEqual(
      Array.from({ length: 52 }, () => ({ kind: 'crowded', scope: 'requester' })),
    )
    expect(admitted.at(-1)).toEqual({ kind: 'queues' })
  })

  test('behavior: payments that have to wait take no place in a transaction', () => {
    const later = payment(1n, 9n, { payer: other })
    const admitted = admit([...many(9), later, later], {}, { room: 6 })
    expect(admitted).toEqual([...goes(5), ...queues(4), 'goes', 'queues'])
  })

  test('behavior: new payers wait for gas that others have reserved, and a known payer does not', () => {
    // New payers may waste 2 % of 20,000 on one payee: four payments of 100 each.
    const candidates = payersOf(6).map((one) => payment(1n, 9n, { payer: one }))
    expect(admit(candidates, {}, { hour: 20_000 })).toEqual([...goes(4), ...queues(2)])
    expect(admit([...candidates, payment(1n, 9n)], { credit: 5 }, { hour: 20_000 })).toEqual([
      ...goes(4),
      ...queues(2),
      'goes',
    ])
  })
})
