import {
  listingChanged,
  type ObservedSettlement,
  catalog as operations,
  probeCompleted,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { startTestServices, type TestServices } from '@callboard/testkit'
import { DAY_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { catalog as module } from '../src/index.ts'
import { settleAll } from '../src/truth/meter.ts'
import { BASE_URL, LINK_SIGNING_KEY, NOW, partsOf, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, mirrored, operation, probe, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
/** A second replica on the same database. */
let other: TestServices
beforeAll(async () => {
  catalog = await startCatalog()
  other = await startTestServices([module], {
    databaseUrl: catalog.database.url,
    clock: catalog.clock,
    env: { LINK_SIGNING_KEY, BASE_URL },
  })
})
afterAll(async () => {
  await other.stop()
  await catalog.stop()
})
beforeEach(async () => {
  catalog.clock.set(NOW)
  await catalog.empty()
})

async function settled(): Promise<void> {
  await settleAll(catalog.services.contexts.get('catalog') as CatalogContext)
  await Promise.all([catalog.services, other].map((services) => partsOf(services).follower.caughtUp()))
}

const page = async (services: Pick<TestServices, 'call'> = catalog.services) =>
  services.call(operations.discovery, operations.discovery.input.parse({ includeUnverified: 'true' }) as never)

async function shown(): Promise<[slug: string, calls: string | undefined][]> {
  const { items } = (await page()) as { items: { ref: string; card: { facts: { label: string; value: string }[] } }[] }
  return items.map(({ ref, card }) => [ref, card.facts.find(({ label }) => label === 'calls')?.value])
}

const list = (slug: string, payee: number) =>
  catalog.deliver(
    listingChanged,
    snapshot(slug, {
      updatedAt: isoTime(NOW - 60 * DAY_MS),
      payTo: [{ network: BASE, address: address(payee) }],
      operations: [operation(slug, { price: '1' })],
    }),
  )

/** Calls a day ago, each of another payer. */
async function paid(count: number, more: Partial<ObservedSettlement>, first = 1): Promise<ObservedSettlement[]> {
  const made = Array.from({ length: count }, (_, at) =>
    settlement(first + at, { payer: address(700 + at), amount: '1000000', observedAt: isoTime(NOW - DAY_MS), ...more }),
  )
  await Promise.all(made.map((one) => catalog.deliver(settlementObserved, one)))
  return made
}

test('of two equal listings the paid one comes first, and its card says how often, on every replica', async () => {
  await list('a', 1)
  await list('b', 2)
  await settled()
  expect(await shown()).toEqual([
    ['a', undefined],
    ['b', undefined],
  ])
  await paid(3, { payTo: address(2) })
  await settled()
  expect(await shown()).toEqual([
    ['b', '3 in 30 days'],
    ['a', undefined],
  ])
  expect(await page(other)).toEqual(await page())
})

test('a seller’s payments to itself neither raise its place nor count as calls', async () => {
  await list('a', 1)
  await list('b', 2)
  await paid(20, { payer: address(2), payTo: address(2) })
  await settled()
  expect(await shown()).toEqual([
    ['a', undefined],
    ['b', undefined],
  ])
})

test('a mirrored row has neither calls nor place from the payee that it names: others may be paid there', async () => {
  const row = (slug: string, payee: number) =>
    mirrored(slug, {
      updatedAt: isoTime(NOW - 60 * DAY_MS),
      payTo: [{ network: BASE, address: address(payee) }],
      operations: [operation(slug, { price: '1' })],
    })
  for (const one of [row('honest', 1), row('pretender', 2)]) {
    await catalog.deliver(listingChanged, one)
    await catalog.deliver(probeCompleted, probe(one.slug))
  }
  await paid(20, { payTo: address(2) })
  await settled()
  expect(await shown()).toEqual([
    ['honest', undefined],
    ['pretender', undefined],
  ])
})

test('a payment that the chain reverts no longer counts', async () => {
  await list('a', 1)
  const [first] = await paid(2, { payTo: address(1) })
  await settled()
  expect(await shown()).toEqual([['a', '2 in 30 days']])
  if (!first) throw new Error('Nothing was paid')
  const { network, txHash, logIndex, blockHash } = first
  await catalog.deliver(settlementReverted, { network, txHash, logIndex, blockHash })
  await settled()
  expect(await shown()).toEqual([['a', '1 in 30 days']])
})

test('a call from thirty days ago no longer counts, even if nothing has happened since', async () => {
  await list('a', 1)
  await paid(1, { payTo: address(1) })
  await settled()
  catalog.clock.set(NOW + 28 * DAY_MS)
  await settled()
  expect(await shown()).toEqual([['a', '1 in 30 days']])
  catalog.clock.set(NOW + 29 * DAY_MS)
  await settled()
  expect(await shown()).toEqual([['a', undefined]])
})

test('a card changes without any request, once a payment is observed', async () => {
  await list('a', 1)
  await paid(1, { payTo: address(1) })
  await expect.poll(shown, { timeout: 20_000 }).toEqual([['a', '1 in 30 days']])
})
