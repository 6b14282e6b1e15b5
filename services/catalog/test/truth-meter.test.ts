import {
  chainProgressed,
  type DataOf,
  type EventDeclaration,
  listingChanged,
  type ObservedSettlement,
  catalog as operations,
  settlementAttributed,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { granted, startTestServices, type TestServices } from '@callboard/testkit'
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '@callboard/values'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { edgesOf } from '../src/domain/truth-meter/edges-of.ts'
import { catalog as module } from '../src/index.ts'
import { volumesOf } from '../src/store/sums/listing-volume.repository.ts'
import { lockSums } from '../src/store/sums/rollup.repository.ts'
import { settleAll } from '../src/truth/meter.ts'
import { BASE_URL, LINK_SIGNING_KEY, NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, hash, mirrored, operation, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
/** A second replica on the same database. */
let other: TestServices
beforeAll(async () => {
  catalog = await startCatalog()
  other = await startTestServices([module], {
    databaseUrl: catalog.database.url,
    clock: catalog.clock,
    env: { LINK_SIGNING_KEY, BASE_URL, STATS_CACHE_MS: '0' },
  })
})
afterAll(async () => {
  await other.stop()
  await catalog.stop()
})
beforeEach(() => catalog.empty())

const settled = (services = catalog.services) => settleAll(services.contexts.get('catalog') as CatalogContext)
const stats = () => catalog.ask(operations.stats, { range: '30d' })
const surviving = async () => (await stats()).totals.surviving
const items = async () => (await catalog.ask(operations.activity, { limit: 100 })).items

const asking = (slug: string, payee: number) =>
  snapshot(slug, {
    updatedAt: isoTime(NOW - 20 * DAY_MS),
    payTo: [{ network: BASE, address: address(payee) }],
    operations: [operation(slug), operation(slug, { price: '0.000001' })],
  })

/** Calls of one payer, a few minutes apart, starting two days ago. */
async function paid(count: number, more: Partial<ObservedSettlement> = {}, first = 1): Promise<ObservedSettlement[]> {
  const made = Array.from({ length: count }, (_, at) =>
    settlement(first + at, { observedAt: isoTime(NOW - 2 * DAY_MS + at * 7 * MINUTE_MS), ...more }),
  )
  await Promise.all(made.map((one) => catalog.deliver(settlementObserved, one)))
  return made
}

test('a seller that pays itself keeps its raw sums, none survives, and each call says why and what would lift it', async () => {
  await catalog.deliver(listingChanged, asking('a', 1))
  await paid(4, { payer: address(1) })
  await paid(2, {}, 50)
  await settled()
  const { totals, buckets } = await stats()
  expect(totals).toMatchObject({ calls: 6, volumeUsd: '0.06', surviving: { count: 2, volumeUsd: '0.02' } })
  expect(buckets.reduce((sum, bucket) => sum + bucket.surviving.count, 0)).toBe(2)
  const [invented] = (await items()).flatMap((item) => (item.payer === address(1) ? [item.invented] : []))
  expect(invented).toEqual([
    {
      pattern: 'self_pay',
      reason: `The seller paid itself: 4 calls in two weeks are from ${address(1)}.`,
      lifts: 'A seller that pays itself at most three times in two weeks is testing, and nothing is set aside.',
      until: '2026-11-23T00:00:00.000Z',
    },
  ])
  const volumes = await volumesOf((catalog.services.contexts.get('catalog') as CatalogContext).db, ['a'], new Date(0))
  expect(volumes).toEqual([{ slug: 'a', calls: 6, volumeUsd: '0.06', survivingCalls: 2, survivingVolumeUsd: '0.02' }])
  const { totals: sides, topListings } = await catalog.ask(operations.addressActivity, { address: address(1) })
  expect(sides.received).toMatchObject({ calls: 6, surviving: { count: 2, volumeUsd: '0.02' } })
  expect(topListings).toMatchObject([{ ref: 'a', calls: 6, surviving: { count: 2, volumeUsd: '0.02' } }])
})

test.each(['added', 'external'] as const)(
  'a customer of a seller (%s) stays one, even if a third party’s listing names both as its payees',
  async (group) => {
    await catalog.deliver(listingChanged, { ...asking('shop', 1), group })
    const thirdParty = (version: number, payee: number) => ({
      ...mirrored('another', { version, payTo: [{ network: BASE, address: address(payee) }] }),
      updatedAt: isoTime(NOW - 10 * DAY_MS),
    })
    await catalog.deliver(listingChanged, thirdParty(1, 500))
    await catalog.deliver(listingChanged, thirdParty(2, 1))
    await paid(10, { payer: address(500) })
    await settled()
    expect((await items()).flatMap(({ invented }) => invented ?? [])).toEqual([])
    expect(await surviving()).toEqual({ count: 10, volumeUsd: '0.1' })
  },
)

test('a seller that pays one address of its listing from another one pays itself', async () => {
  await catalog.deliver(listingChanged, asking('a', 1))
  await catalog.deliver(listingChanged, { ...asking('a', 2), version: 2 })
  await paid(4, { payer: address(2) })
  await settled()
  expect((await items()).flatMap(({ invented = [] }) => invented.map(({ pattern }) => pattern))).toEqual(
    Array.from({ length: 4 }, () => 'self_pay'),
  )
})

test('a verdict is lifted when a reorganisation removes what it is based on', async () => {
  await catalog.deliver(listingChanged, asking('a', 1))
  const made = await paid(4, { payer: address(1) })
  await settled()
  expect(await surviving()).toEqual({ count: 0, volumeUsd: '0' })
  const [{ network, txHash, logIndex, blockHash } = settlement(0)] = made
  await catalog.deliver(settlementReverted, { network, txHash, logIndex, blockHash })
  await settled()
  expect(await surviving()).toEqual({ count: 3, volumeUsd: '0.03' })
  expect((await items()).every(({ invented }) => invented === undefined)).toBe(true)
})

test('a late call is judged by the verdict of its week', async () => {
  await catalog.deliver(listingChanged, asking('a', 1))
  await paid(4, { payer: address(1) })
  await settled()
  await paid(1, { payer: address(1) }, 70)
  await settled()
  expect(await surviving()).toEqual({ count: 0, volumeUsd: '0' })
})

test('only the dust among a payer’s calls is set aside', async () => {
  await catalog.deliver(listingChanged, asking('a', 1))
  await paid(10, { amount: '1' })
  await paid(3, {}, 50)
  await settled()
  const { totals } = await stats()
  expect([totals.calls, totals.surviving]).toEqual([13, { count: 3, volumeUsd: '0.03' }])
})

test.each(['before', 'after'])(
  'a facilitator’s attributions count when they arrive %s the settlements',
  async (when) => {
    await catalog.deliver(listingChanged, asking('a', 1))
    const facilitator = address(900)
    const mine = Array.from({ length: 4 }, (_, at) => settlement(at + 1, { payer: facilitator }))
    const others = Array.from({ length: 5 }, (_, at) => settlement(at + 10, { payer: address(600 + at) }))
    const observe = async () => {
      for (const one of [...mine, ...others]) await catalog.deliver(settlementObserved, one)
    }
    const attribute = async () => {
      for (const { network, txHash } of others)
        await catalog.deliver(settlementAttributed, { network, txHash, facilitator, builderCodes: null })
    }
    await (when === 'before' ? attribute() : observe())
    await settled()
    await (when === 'before' ? observe() : attribute())
    await settled()
    expect(await surviving()).toEqual({ count: 5, volumeUsd: '0.05' })
  },
)

test('every chain says up to which block it has been read, and how old that block is', async () => {
  const said = (blockNumber: number): DataOf<typeof chainProgressed> => ({
    ...{ network: BASE, blockNumber: String(blockNumber), blockHash: hash(blockNumber), behindBlocks: 3 },
    blockAt: isoTime(NOW - 4_000),
  })
  await catalog.deliver(chainProgressed, said(12), { sequence: 900 })
  await catalog.deliver(chainProgressed, said(11), { sequence: 899 })
  expect((await stats()).chains).toEqual([
    { network: BASE, asOfBlock: '12', blockAt: isoTime(NOW - 4_000), behindBlocks: 3, lagSeconds: 4 },
  ])
})

describe('in any order, with repetitions and reverts', () => {
  const wallet = fc.integer({ min: 1, max: 4 })
  const history = fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 40 }),
      block: fc.integer({ min: 1, max: 2 }),
      payer: wallet,
      payee: fc.integer({ min: 1, max: 2 }),
      dust: fc.boolean(),
      hoursAgo: fc.integer({ min: 0, max: 400 }),
      reverted: fc.constantFrom(false, false, true),
    }),
    { minLength: 20, maxLength: 60 },
  )
  const COUNTED = `select tx_hash, patterns from catalog.settlement order by tx_hash`
  const sums = async () => ({
    marks: await catalog.database.query(COUNTED),
    verdicts: await catalog.database.query(
      'select week, payer, pay_to, suspicions from catalog.paid_verdict order by week, payer, pay_to',
    ),
    stats: await stats(),
  })

  test('sums, marks and verdicts are the same, on either replica, and equal a plain count', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.infiniteStream(fc.nat()), async (drawn, draw) => {
        const events = drawn.map((one, sequence): { event: EventDeclaration; data: unknown; sequence: number } => {
          const seen = settlement(one.number, {
            payer: address(one.payer),
            payTo: address(one.payee),
            amount: one.dust ? '1' : '10000',
            blockHash: hash(5_000 + one.number * 10 + one.block),
            observedAt: isoTime(NOW - one.hoursAgo * HOUR_MS),
          })
          const { network, txHash, logIndex, blockHash } = seen
          return one.reverted
            ? { event: settlementReverted, data: { network, txHash, logIndex, blockHash }, sequence }
            : { event: settlementObserved, data: seen, sequence }
        })
        const run = async (order: typeof events, services: TestServices) => {
          await catalog.empty()
          for (const [slug, payee] of [
            ['a', 1],
            ['b', 2],
          ] as const)
            await catalog.deliver(listingChanged, asking(slug, payee))
          await Promise.all(
            order.map(({ event, data, sequence }) => catalog.deliver(event, data as never, { sequence })),
          )
          await settled(services)
          return sums()
        }
        const first = await run(events, catalog.services)
        const shuffled = [...events, ...events.slice(0, 5)]
          .map((one) => ({ one, at: draw.next().value as number }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one)
        expect(await run(shuffled, other)).toEqual(first)
        const standing = await catalog.database.query<{ payer: string; pay_to: string; at: Date; amount: string }>(
          `select payer, pay_to, observed_at as at, amount_usd::text as amount from catalog.settlement
           where not reverted and slug is not null and kind = 'call'`,
        )
        const counted = edgesOf(
          standing.map((row) => ({
            ...{
              payer: row.payer,
              payTo: row.pay_to,
              atMs: row.at.getTime(),
              volume: BigInt(Number(row.amount) * 1e6),
            },
            isDust: Number(row.amount) < 0.0001,
          })),
        )
        const kept = await catalog.database.query<{ payer: string; pay_to: string; calls: string; dust: string }>(
          `select payer, pay_to, sum(calls)::text as calls, sum(dust)::text as dust from catalog.paid_slot
           group by 1, 2 having sum(calls) > 0`,
        )
        const names = (all: readonly string[][]) => all.map((one) => one.join(' ')).sort()
        expect(names(kept.map((one) => [one.payer, one.pay_to, one.calls, one.dust]))).toEqual(
          names(counted.map((one) => [one.payer, one.payTo, String(one.calls), String(one.dust)])),
        )
        const answer = granted(await other.call(operations.stats, { range: '30d' }))
        expect(answer).toEqual(first.stats)
      }),
      { numRuns: 6 },
    )
  }, 120_000)
})

test('while a judgement holds the sums, stats answer with the previous sums and say what is pending', async () => {
  await catalog.deliver(listingChanged, asking('a', 1))
  await paid(1)
  await settled()
  const { db } = catalog.services.contexts.get('catalog') as CatalogContext
  await db.transaction().execute(async (tx) => {
    await lockSums(tx)
    await paid(1, {}, 50)
    expect(await stats()).toMatchObject({ totals: { calls: 1 }, pendingChanges: 1 })
  })
  expect(await stats()).toMatchObject({ totals: { calls: 2 }, pendingChanges: 0 })
})
