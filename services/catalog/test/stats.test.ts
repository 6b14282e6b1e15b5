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
    totals: { calls: 0, volumeUsd: '0', payers: 0, payees: 0, listings: 0 },
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
  '%s has a step every %i ms, from the one in which it begins to the one that holds now',
  async (range, stepMs, first, count) => {
    const { buckets } = await stats(range)
    expect(buckets.map(({ start }) => start)).toEqual(
      Array.from({ length: count }, (_, step) => isoTime(Date.parse(first) + step * stepMs)),
    )
  },
)

test('on the hour, 24h is 24 whole hours and the one that begins', async () => {
  catalog.clock.set(Date.parse('2026-11-20T12:00:00.000Z'))
  const { buckets } = await stats('24h')
  expect([buckets.at(0)?.start, buckets.at(-1)?.start, buckets.length]).toEqual([
    '2026-11-19T12:00:00.000Z',
    '2026-11-20T12:00:00.000Z',
    25,
  ])
  catalog.clock.set(NOW)
})

test('a settlement of a block whose time is ahead of ours counts in the last step', async () => {
  await catalog.tell(listingChanged, snapshot('a'))
  await catalog.tell(settlementObserved, settlement(1, { observedAt: isoTime(NOW + HOUR_MS) }))
  const { buckets, totals } = await stats('24h')
  expect([totals.calls, buckets.at(-1)?.calls]).toEqual([1, 1])
})

test('the catalogue counts what is published', async () => {
  await catalog.tell(
    listingChanged,
    snapshot('a', { operations: [operation('a'), operation('a', { method: 'POST' })] }),
  )
  await catalog.tell(listingChanged, snapshot('b', { verification: 'none', group: 'partner' }))
  await catalog.tell(listingChanged, mirrored('c'))
  await catalog.tell(listingChanged, snapshot('draft', { status: 'draft' }))
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
      amount: fc.bigInt({ min: 0n, max: 10n ** 24n }),
      decimals: fc.constantFrom(6, 18),
      agoMs: fc.integer({ min: 0, max: 31 * DAY_MS }),
      payer: fc.integer({ min: 500, max: 504 }),
      // 3 belongs to no listing.
      payee: fc.integer({ min: 1, max: 3 }),
      reverted: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 1, maxLength: 25 },
  )
  const LENGTHS = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const
  const FINEST = 18

  test('equal a plain recount of the events, exactly, for every range', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (settlements) => {
        await catalog.empty()
        await catalog.tell(listingChanged, snapshot('a', { payTo: payTo(1) }))
        await catalog.tell(listingChanged, snapshot('b', { payTo: payTo(2) }))
        for (const [number, { amount, decimals, agoMs, payer, payee, reverted }] of settlements.entries()) {
          const seen = settlement(number, {
            amount: amount.toString(),
            decimals,
            observedAt: isoTime(NOW - agoMs),
            payer: address(payer),
            payTo: address(payee),
          })
          await catalog.tell(settlementObserved, seen)
          const { network, txHash, logIndex, blockHash } = seen
          if (reverted) await catalog.tell(settlementReverted, { network, txHash, logIndex, blockHash })
        }
        for (const range of ['24h', '7d', '30d'] as const) {
          const counted = settlements.filter(
            ({ agoMs, payee, reverted }) => agoMs <= LENGTHS[range] && payee !== 3 && !reverted,
          )
          const fine = ({ amount, decimals }: (typeof counted)[number]) => amount * 10n ** BigInt(FINEST - decimals)
          const volume = (of: typeof counted) =>
            decimalText(
              of.reduce((sum, one) => sum + fine(one), 0n),
              FINEST,
            )
          const payers = Map.groupBy(counted, ({ payer }) => payer)
          const { totals, buckets, concentration } = await stats(range)
          expect(totals).toEqual({
            calls: counted.length,
            volumeUsd: volume(counted),
            payers: payers.size,
            payees: new Set(counted.map(({ payee }) => payee)).size,
            listings: new Set(counted.map(({ payee }) => payee)).size,
          })
          const busiest = Math.max(0, ...[...payers.values()].map(({ length }) => length))
          expect(concentration.topPayerTxShare).toBe(counted.length === 0 ? 0 : busiest / counted.length)
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

test('are counted anew after the time of the cache, and not before', async () => {
  const cached = await startCatalog({ STATS_CACHE_MS: '15000' })
  const calls = async () => (await cached.ask(operations.stats, {})).totals.calls
  await cached.tell(listingChanged, snapshot('a'))
  expect(await calls()).toBe(0)
  await cached.tell(settlementObserved, settlement(1, { blockHash: hash(3) }))
  cached.clock.advance(14_999)
  expect(await calls()).toBe(0)
  cached.clock.advance(1)
  expect(await calls()).toBe(1)
  await cached.stop()
})
