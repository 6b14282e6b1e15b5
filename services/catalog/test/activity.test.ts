import { listingChanged, catalog as operations, settlementObserved } from '@callboard/contract'
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { projectionTables } from '../src/index.ts'
import { lockedLedger, NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { ARC, address, BASE, hash, operation, settlement, snapshot, USDC } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(async () => {
  await catalog.database.query(`truncate ${projectionTables.map((table) => `catalog.${table}`)}`)
  await catalog.deliver(listingChanged, snapshot('a', { name: 'Alpha' }))
  await catalog.deliver(
    listingChanged,
    snapshot('b', { name: 'Beta', group: 'partner', payTo: [{ network: BASE, address: address(2) }] }),
  )
})

const observe = async (...settlements: ReturnType<typeof settlement>[]) => {
  for (const one of settlements) await catalog.deliver(settlementObserved, one)
}
const at = (agoMs: number) => isoTime(NOW - agoMs)
const numbers = (items: readonly { txHash: string }[]) => items.map(({ txHash }) => Number(txHash))
const activity = async (query: z.input<typeof operations.activity.input> = {}) =>
  numbers((await catalog.ask(operations.activity, query)).items)
const refusedCursor = { refusal: 'invalid_request', field: 'cursor' }

describe('activity', () => {
  test('an item carries the fields of the specification; amounts are exact by the event’s decimals', async () => {
    await observe(settlement(1, { amount: '123450000', decimals: 6 }))
    expect(await catalog.ask(operations.activity, {})).toEqual({
      range: '30d',
      generatedAt: isoTime(NOW),
      items: [
        {
          kind: 'transfer',
          txHash: hash(1),
          network: BASE,
          observedAt: at(HOUR_MS),
          listing: { ref: 'a', name: 'Alpha', group: 'added' },
          payer: address(500),
          payTo: address(1),
          amountUsd: '123.45',
          asset: USDC,
          blockNumber: '1001',
        },
      ],
    })
  })

  test.each([
    ['1', 18, '0.000000000000000001'],
    ['1000000', 6, '1'],
    ['5', 0, '5'],
  ])('%s units at %i decimals are %s USD', async (amount, decimals, amountUsd) => {
    await observe(settlement(1, { amount, decimals }))
    expect((await catalog.ask(operations.activity, {})).items).toMatchObject([{ amountUsd }])
  })

  test('a price that the listing asked at that time is a call, any other amount a transfer, and zero is neither', async () => {
    const dearer = { version: 2, updatedAt: at(10 * HOUR_MS), operations: [operation('a', { price: '0.02' })] }
    await observe(
      settlement(1, { observedAt: at(12 * HOUR_MS) }),
      settlement(2, { observedAt: at(12 * HOUR_MS), amount: '20000' }),
      settlement(3, { observedAt: at(10.5 * HOUR_MS), amount: '20000' }),
      settlement(4, { observedAt: at(9.5 * HOUR_MS) }),
      settlement(5, { observedAt: at(8 * HOUR_MS) }),
      settlement(6, { observedAt: at(8 * HOUR_MS), amount: '1' }),
      settlement(7, { observedAt: at(8 * HOUR_MS), amount: '0' }),
    )
    await catalog.deliver(listingChanged, snapshot('a', { ...dearer, name: 'Alpha' }))
    const { items } = await catalog.ask(operations.activity, {})
    expect(Object.fromEntries(items.map(({ txHash, kind }) => [Number(txHash), kind]))).toEqual({
      1: 'call',
      2: 'transfer',
      3: 'call',
      4: 'call',
      5: 'transfer',
      6: 'transfer',
    })
  })

  test('items are newest first, and within a moment by network, block and log', async () => {
    await observe(
      settlement(1, { observedAt: at(2 * HOUR_MS) }),
      settlement(2, { blockNumber: '7', logIndex: 3 }),
      settlement(3, { blockNumber: '7', logIndex: 9 }),
      settlement(4, { blockNumber: '10' }),
      settlement(5, { observedAt: at(MINUTE_MS) }),
    )
    expect(await activity()).toEqual([5, 4, 3, 2, 1])
  })

  test('ranges reach back exactly their length', async () => {
    await observe(
      settlement(1, { observedAt: at(DAY_MS) }),
      settlement(2, { observedAt: at(DAY_MS + 1) }),
      settlement(3, { observedAt: at(7 * DAY_MS) }),
      settlement(4, { observedAt: at(7 * DAY_MS + 1) }),
      settlement(5, { observedAt: at(30 * DAY_MS) }),
      settlement(6, { observedAt: at(30 * DAY_MS + 1) }),
    )
    expect(await activity({ range: '24h' })).toEqual([1])
    expect(await activity({ range: '7d' })).toEqual([1, 2, 3])
    expect(await activity({ range: '30d' })).toEqual([1, 2, 3, 4, 5])
    expect(await activity()).toEqual([1, 2, 3, 4, 5])
  })

  test('listing and address filter the items, and an address matches on either side, but a self-payment once', async () => {
    await observe(
      settlement(1),
      settlement(2, { payTo: address(2), payer: address(1) }),
      settlement(3, { payTo: address(1), payer: address(1) }),
      settlement(4, { payTo: address(9), payer: address(1) }),
      settlement(5, { network: ARC }),
    )
    expect(await activity({ listing: 'a' })).toEqual([3, 1])
    expect(await activity({ listing: 'b' })).toEqual([2])
    expect(await activity({ address: address(1).toLowerCase() })).toEqual([3, 2, 1])
    expect(await activity({ address: address(1), listing: 'a' })).toEqual([3, 1])
    expect(await activity({ address: address(77) })).toEqual([])
    expect(await activity({ listing: 'unknown' })).toEqual([])
    expect(await activity({ listing: 'no\u0000slug' })).toEqual([])
  })

  test.each([{ range: '1h' }, { limit: '0' }, { limit: '101' }, { address: '0x1' }, { listing: '' }, { page: '2' }])(
    '400: the schema refuses %j',
    (query) => {
      expect(operations.activity.input.safeParse(query).success).toBe(false)
    },
  )

  test('fifty items are returned by default, and at most a hundred', async () => {
    await observe(...Array.from({ length: 101 }, (_, number) => settlement(number + 1)))
    expect(await activity()).toHaveLength(50)
    expect(await activity({ limit: '100' })).toHaveLength(100)
  })

  test.each([
    ['all', {}],
    ['an address', { address: address(500) }],
    ['a listing', { listing: 'a' }],
  ])('pages of %s continue where they were while new settlements arrive', async (_what, filter) => {
    await observe(...Array.from({ length: 7 }, (_, number) => settlement(number + 1)))
    const seen: number[] = []
    let cursor: string | undefined
    for (let pages = 0; pages === 0 || cursor; pages += 1) {
      const page = await catalog.ask(operations.activity, { ...filter, limit: '2', cursor })
      seen.push(...numbers(page.items))
      cursor = page.nextCursor
      await observe(settlement(100 + pages, { observedAt: at(0) }))
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  test('400 invalid_request: a cursor of another query, of another route, or tampered with', async () => {
    await observe(settlement(1), settlement(2))
    const { nextCursor = '' } = await catalog.ask(operations.activity, { limit: '1' })
    const refused = [
      { cursor: nextCursor, range: '7d' },
      { cursor: nextCursor, listing: 'a' },
      { cursor: nextCursor, address: address(500) },
      { cursor: `x${nextCursor}` },
      { cursor: 'x' },
    ] as const
    for (const query of refused) {
      expect(await catalog.askAnyway(operations.activity, query)).toMatchObject(refusedCursor)
    }
    expect(
      await catalog.askAnyway(operations.addressActivity, { address: address(500), cursor: nextCursor }),
    ).toMatchObject(refusedCursor)
  })
})

describe('addressActivity', () => {
  const of = (number: number, query: { range?: '24h' | '7d'; cursor?: string } = {}) =>
    catalog.ask(operations.addressActivity, { address: address(number), ...query })

  test('says the side, the sums of both sides, and the listings with the largest volume first', async () => {
    const asking = (slug: string, ...prices: string[]) => ({
      version: 2,
      updatedAt: at(9 * DAY_MS),
      operations: prices.map((price) => operation(slug, { price })),
    })
    await catalog.deliver(listingChanged, snapshot('a', { name: 'Alpha', ...asking('a', '1') }))
    await catalog.deliver(
      listingChanged,
      snapshot('b', {
        name: 'Beta',
        group: 'partner',
        payTo: [{ network: BASE, address: address(2) }],
        ...asking('b', '2.5', '0.00001'),
      }),
    )
    await observe(
      settlement(1, { payer: address(5), amount: '1000000' }),
      settlement(2, { payer: address(5), payTo: address(2), amount: '2500000', observedAt: at(2 * DAY_MS) }),
      settlement(3, { payer: address(6), payTo: address(2), amount: '10' }),
      settlement(4, { payer: address(5), payTo: address(2), amount: '7' }),
    )
    expect(await of(5)).toMatchObject({
      address: address(5),
      role: 'payer',
      totals: {
        paid: { calls: 2, volumeUsd: '3.5', transfers: { count: 1, volumeUsd: '0.000007' } },
        received: { calls: 0, volumeUsd: '0', transfers: { count: 0, volumeUsd: '0' } },
      },
      topListings: [
        { ref: 'b', name: 'Beta', group: 'partner', calls: 1, volumeUsd: '2.5' },
        { ref: 'a', name: 'Alpha', group: 'added', calls: 1, volumeUsd: '1' },
      ],
      nextCursor: null,
    })
    expect(numbers((await of(5)).items)).toEqual([4, 1, 2])
    expect(await of(2)).toMatchObject({
      role: 'recipient',
      totals: { paid: { calls: 0 }, received: { calls: 2, volumeUsd: '2.50001' } },
    })
    expect(await of(5, { range: '24h' })).toMatchObject({ totals: { paid: { calls: 1, volumeUsd: '1' } } })
  })

  test('a payment to oneself is on both sides, and once in the steps and the items', async () => {
    await observe(settlement(1, { payer: address(1), payTo: address(1) }))
    const answer = await of(1)
    expect(answer).toMatchObject({
      role: 'both',
      totals: { paid: { calls: 1, volumeUsd: '0.01' }, received: { calls: 1, volumeUsd: '0.01' } },
      topListings: [{ ref: 'a', calls: 1 }],
      items: { length: 1 },
    })
    expect(answer.buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(1)
  })

  test('an unknown address has every step, with zeros', async () => {
    const answer = await of(77, { range: '7d' })
    expect(answer).toMatchObject({ role: 'none', items: [], topListings: [], nextCursor: null })
    expect(new Set(answer.buckets.map(({ calls, volumeUsd }) => `${calls} ${volumeUsd}`))).toEqual(new Set(['0 0']))
  })

  test.each([
    ['sums of an address', async () => (await of(900)).totals.paid.calls],
    [
      'usage of a wallet',
      async () => (await catalog.ask(operations.walletUsage, { wallet: address(900) })).total.calls,
    ],
  ])('%s that took long to read are not read for each request: nobody keeps the database busy', async (_, ask) => {
    await observe(settlement(1, { payer: address(900) }))
    const read = await lockedLedger(catalog, 0.3)
    expect(await ask()).toBe(1)
    await read.over
    const kept = await lockedLedger(catalog, 2)
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
    expect(kept.isOver).toBe(false)
    await kept.over
  })

  test('pages hold every item once', async () => {
    await observe(...Array.from({ length: 120 }, (_, number) => settlement(number + 1)))
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const page = await of(500, { cursor })
      seen.push(...numbers(page.items))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(Array.from({ length: 120 }, (_, number) => 120 - number))
  })

  test('400 invalid_request: a cursor of another address', async () => {
    await observe(...Array.from({ length: 51 }, (_, number) => settlement(number + 1)))
    const { nextCursor } = await of(500)
    expect(
      await catalog.askAnyway(operations.addressActivity, { address: address(1), cursor: nextCursor ?? '' }),
    ).toMatchObject(refusedCursor)
  })
})
