import {
  listingChanged,
  catalog as operations,
  type Range,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { DAY_MS, decimalText, HOUR_MS, isoTime } from '@callboard/values'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, hash, mirrored, operation, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

const stats = (range?: Range) => catalog.ask(operations.stats, { range })
const payTo = (number: number) => [{ network: BASE, address: address(number) }]

test('200: an empty network has zeros everywhere', async () => {
  const answer = await stats()
  expect(answer).toMatchObject({
    range: '30d',
    totals: { calls: 0, volumeUsd: '0', payers: 0, payees: 0, listings: 0, surviving: { count: 0, volumeUsd: '0' } },
    catalogue: { listings: 0, verified: 0, endpoints: 0, byGroup: { svc: 0, added: 0, partner: 0, external: 0 } },
    concentration: { topPayerTxShare: 0 },
  })
  expect(answer.buckets.every(({ calls, volumeUsd }) => calls === 0 && volumeUsd === '0')).toBe(true)
})

test('400: the schema refuses another range', () => {
  expect(operations.stats.input.safeParse({ range: '1y' }).success).toBe(false)
})

test.each([
  ['24h', HOUR_MS, '2026-11-19T12:00:00.000Z', 25],
  ['7d', 6 * HOUR_MS, '2026-11-13T12:00:00.000Z', 29],
  ['30d', DAY_MS, '2026-10-21T00:00:00.000Z', 31],
] as const)(
  '%s has a step every %i ms, from the one in which it begins to the current one',
  async (range, stepMs, first, count) => {
    const { buckets } = await stats(range)
    expect(buckets.map(({ start }) => start)).toEqual(
      Array.from({ length: count }, (_, step) => isoTime(Date.parse(first) + step * stepMs)),
    )
  },
)

test('on the hour, 24h is 24 whole hours and the one that is beginning', async () => {
  catalog.clock.set(Date.parse('2026-11-20T12:00:00.000Z'))
  const { buckets } = await stats('24h')
  expect([buckets.at(0)?.start, buckets.at(-1)?.start, buckets.length]).toEqual([
    '2026-11-19T12:00:00.000Z',
    '2026-11-20T12:00:00.000Z',
    25,
  ])
  catalog.clock.set(NOW)
})

test('a settlement whose block time is ahead of our clock counts in the last step', async () => {
  await catalog.deliver(listingChanged, snapshot('a'))
  await catalog.deliver(settlementObserved, settlement(1, { observedAt: isoTime(NOW + HOUR_MS) }))
  const { buckets, totals } = await stats('24h')
  expect([totals.calls, buckets.at(-1)?.calls]).toEqual([1, 1])
})

test('the catalogue counts what is published', async () => {
  await catalog.deliver(
    listingChanged,
    snapshot('a', { operations: [operation('a'), operation('a', { method: 'POST' })] }),
  )
  await catalog.deliver(listingChanged, snapshot('b', { verification: 'none', group: 'partner' }))
  await catalog.deliver(listingChanged, mirrored('c'))
  await catalog.deliver(listingChanged, snapshot('draft', { status: 'draft' }))
  expect((await stats()).catalogue).toEqual({
    listings: 3,
    verified: 1,
    endpoints: 4,
    byGroup: { svc: 0, added: 1, partner: 1, external: 1 },
  })
})

describe('sums', () => {
  const drawn = fc.array(
    fc.record({
      // A price that is asked, dust that is asked, and amounts that no listing asks.
      amount: fc.oneof(fc.constantFrom(10_000n, 20n), fc.bigInt({ min: 0n, max: 10n ** 12n })),
      agoMs: fc.integer({ min: 0, max: 31 * DAY_MS }),
      payer: fc.integer({ min: 500, max: 504 }),
      // 3 belongs to no listing.
      payee: fc.integer({ min: 1, max: 3 }),
      reverted: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 1, maxLength: 25 },
  )
  const asked = [10_000n, 20n]
  const FLOOR = 100n
  const LENGTHS = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const

  test('equal a plain recount of the events, exactly, for every range', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (settlements) => {
        await catalog.empty()
        const asking = (slug: string) => ({
          updatedAt: isoTime(NOW - 40 * DAY_MS),
          operations: asked.map((amount) => operation(slug, { price: decimalText(amount, 6) })),
        })
        await catalog.deliver(listingChanged, snapshot('a', { ...asking('a'), payTo: payTo(1) }))
        await catalog.deliver(listingChanged, snapshot('b', { ...asking('b'), payTo: payTo(2) }))
        for (const [number, { amount, agoMs, payer, payee, reverted }] of settlements.entries()) {
          const seen = settlement(number, {
            amount: amount.toString(),
            observedAt: isoTime(NOW - agoMs),
            payer: address(payer),
            payTo: address(payee),
          })
          await catalog.deliver(settlementObserved, seen)
          const { network, txHash, logIndex, blockHash } = seen
          if (reverted) await catalog.deliver(settlementReverted, { network, txHash, logIndex, blockHash })
        }
        for (const range of ['24h', '7d', '30d'] as const) {
          const shown = settlements.filter(
            ({ amount, agoMs, payee, reverted }) => amount > 0n && agoMs <= LENGTHS[range] && payee !== 3 && !reverted,
          )
          const counted = shown.filter(({ amount }) => asked.includes(amount))
          const above = counted.filter(({ amount }) => amount >= FLOOR)
          const volume = (of: typeof counted) =>
            decimalText(
              of.reduce((sum, { amount }) => sum + amount, 0n),
              6,
            )
          const subtotal = (of: typeof counted) => ({ count: of.length, volumeUsd: volume(of) })
          const payers = Map.groupBy(above, ({ payer }) => payer)
          const { totals, buckets, concentration } = await stats(range)
          expect(totals).toEqual({
            calls: counted.length,
            volumeUsd: volume(counted),
            payers: payers.size,
            payees: new Set(above.map(({ payee }) => payee)).size,
            listings: new Set(above.map(({ payee }) => payee)).size,
            dust: subtotal(counted.filter(({ amount }) => amount < FLOOR)),
            transfers: subtotal(shown.filter(({ amount }) => !asked.includes(amount))),
            shared: { count: 0, volumeUsd: '0' },
            surviving: subtotal(counted),
          })
          const busiest = Math.max(0, ...[...payers.values()].map(({ length }) => length))
          expect(concentration.topPayerTxShare).toBe(above.length === 0 ? 0 : busiest / above.length)
          for (const [index, { start, calls, volumeUsd }] of buckets.entries()) {
            const end = Date.parse(buckets[index + 1]?.start ?? '9999-01-01T00:00:00Z')
            const within = counted.filter(({ agoMs }) => NOW - agoMs >= Date.parse(start) && NOW - agoMs < end)
            expect([calls, volumeUsd], start).toEqual([within.length, volume(within)])
          }
        }
      }),
      { numRuns: 12 },
    )
  })
})

test('fifteen payments of zero and a hundred of dust change neither payers nor concentration', async () => {
  const cheap = { operations: [operation('a'), operation('a', { price: '0.000001' })] }
  await catalog.deliver(listingChanged, snapshot('a', { ...cheap, updatedAt: isoTime(NOW - DAY_MS) }))
  await catalog.deliver(settlementObserved, settlement(1))
  await catalog.deliver(settlementObserved, settlement(2, { payer: address(501) }))
  const before = await stats()
  const from = (number: number, amount: string) => settlement(number, { amount, payer: address(number) })
  for (let number = 600; number < 615; number += 1) await catalog.deliver(settlementObserved, from(number, '0'))
  expect(await stats()).toEqual(before)
  for (let number = 700; number < 800; number += 1) await catalog.deliver(settlementObserved, from(number, '1'))
  const { totals, concentration } = await stats()
  expect(totals).toEqual({
    ...before.totals,
    calls: 102,
    volumeUsd: '0.0201',
    dust: { count: 100, volumeUsd: '0.0001' },
    surviving: expect.anything(),
  })
  expect(concentration).toEqual(before.concentration)
})

test('the busiest payer is found even if it is not among the busiest of any day', async () => {
  await catalog.deliver(listingChanged, snapshot('a', { updatedAt: isoTime(NOW - 5 * DAY_MS) }))
  const paid = [1, 2, 3].flatMap((day) => {
    const ofTheDay = Array.from({ length: 11 }, (_, index) => ({ payer: 500 + day * 20 + index, day }))
    return [{ payer: 499, day }, ...ofTheDay, ...ofTheDay]
  })
  for (const [number, { payer, day }] of paid.entries()) {
    const observedAt = isoTime(NOW - day * DAY_MS)
    await catalog.deliver(settlementObserved, settlement(number, { payer: address(payer), observedAt }))
  }
  const { concentration, totals } = await stats('7d')
  expect([concentration.topPayerTxShare, totals.calls, totals.payers]).toEqual([3 / 69, 69, 34])
})

test('stats are counted afresh once the cache expires, and not before', async () => {
  const cached = await startCatalog({ STATS_CACHE_MS: '15000' })
  const calls = async () => (await cached.ask(operations.stats, {})).totals.calls
  await cached.deliver(listingChanged, snapshot('a'))
  expect(await calls()).toBe(0)
  await cached.deliver(settlementObserved, settlement(1, { blockHash: hash(3) }))
  cached.clock.advance(14_999)
  expect(await calls()).toBe(0)
  cached.clock.advance(1)
  expect(await calls()).toBe(1)
  await cached.stop()
})
