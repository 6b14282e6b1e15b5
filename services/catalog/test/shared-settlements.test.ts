import {
  type DataOf,
  listingChanged,
  listingRemoved,
  catalog as operations,
  paymentSettled,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { DAY_MS, HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, mirrored, operation, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())

type Payment = DataOf<typeof paymentSettled>

/** The payment of `settlement(number)`, as our facilitator announces it. */
const payment = (number: number, resourceUrl: string | null, more: Partial<Payment> = {}): Payment => {
  const { network, asset, payer, payTo, amount, nonce, txHash } = settlement(number)
  return {
    network,
    asset,
    payer,
    payTo,
    amount,
    nonce,
    txHash,
    settledAt: isoTime(NOW),
    foreign: false,
    resourceUrl,
    ...more,
  }
}
const ask = (slug: string) => `https://${slug}.example/ask`

const calls = async () => {
  const { items } = await catalog.ask(operations.activity, {})
  return Object.fromEntries(
    items.map(({ txHash, listing, kind, shared }) => [Number(txHash), { kind, ref: listing.ref, shared }]),
  )
}
const known = (ref: string) => ({ kind: 'call', ref, shared: undefined })
const sharedAs = (ref: string, ...refs: string[]) => ({ kind: 'call', ref, shared: { among: refs.length + 1, refs } })

/** Two listings with one payee and one price, and one with another payee and the same price. */
beforeEach(async () => {
  await catalog.empty()
  await catalog.deliver(listingChanged, snapshot('a', { name: 'Alpha' }))
  await catalog.deliver(listingChanged, snapshot('b', { name: 'Beta' }))
  await catalog.deliver(listingChanged, snapshot('other', { payTo: [{ network: BASE, address: address(2) }] }))
})

test('however many mirrored resources name a payee, a thousand listings decide, and published ones are among them', async () => {
  const naming = (slug: string, price: string, daysAgo: number) => ({
    ...mirrored(slug, { operations: [operation(slug, { price })] }),
    updatedAt: isoTime(NOW - daysAgo * DAY_MS),
  })
  await catalog.deliver(listingChanged, naming('a-seed', '0.02', 3))
  await catalog.database.query(`
    with copied as (
      insert into catalog.listing (slug, version, snapshot, schemas, name, group_rank, verification, endpoints, removed, published)
      select 'copy-' || n, version, snapshot, schemas, name, group_rank, verification, endpoints, removed, published
      from catalog.listing cross join generate_series(1, 1000) n where slug = 'a-seed' returning slug)
    insert into catalog.payee_claim (network, address, slug, since)
    select network, address, copied.slug, since from catalog.payee_claim claim cross join copied where claim.slug = 'a-seed'`)
  await catalog.deliver(listingChanged, naming('latest', '0.03', 2))
  await catalog.deliver(settlementObserved, settlement(1))
  await catalog.deliver(settlementObserved, settlement(2, { amount: '20000' }))
  await catalog.deliver(settlementObserved, settlement(3, { amount: '30000' }))
  expect(await calls()).toMatchObject({
    1: sharedAs('a', 'b'),
    2: known('a-seed'),
    3: { kind: 'transfer', ref: 'a' },
  })
})

describe('a settlement of listings that ask the same price', () => {
  test('belongs to the one whose resource the payment named, whichever event comes first', async () => {
    await catalog.deliver(settlementObserved, settlement(1))
    expect(await calls()).toEqual({ 1: sharedAs('a', 'b') })
    await catalog.deliver(paymentSettled, payment(1, ask('b')))
    await catalog.deliver(paymentSettled, payment(2, ask('b')))
    await catalog.deliver(settlementObserved, settlement(2))
    expect(await calls()).toEqual({ 1: known('b'), 2: known('b') })
  })

  test('is shared without a resource, or with one that none of them sells', async () => {
    await catalog.deliver(paymentSettled, payment(1, null))
    await catalog.deliver(paymentSettled, payment(2, 'https://elsewhere.example/ask'))
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(settlementObserved, settlement(2))
    expect(await calls()).toEqual({ 1: sharedAs('a', 'b'), 2: sharedAs('a', 'b') })
  })

  test('is never moved to a listing of another payee', async () => {
    await catalog.deliver(paymentSettled, payment(1, ask('other')))
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(paymentSettled, payment(1, ask('other'), { payTo: address(2) }), { id: 'told-otherwise' })
    expect(await calls()).toEqual({ 1: sharedAs('a', 'b') })
  })

  test('ignores the resource of an authorization that a third party submitted', async () => {
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(paymentSettled, payment(1, ask('b'), { foreign: true }))
    expect(await calls()).toEqual({ 1: sharedAs('a', 'b') })
  })

  test('keeps its resource through a reorganisation into another transaction', async () => {
    const { network, txHash, logIndex, blockHash, nonce } = settlement(1)
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(paymentSettled, payment(1, ask('b')))
    await catalog.deliver(settlementReverted, { network, txHash, logIndex, blockHash })
    expect(await calls()).toEqual({})
    await catalog.deliver(settlementObserved, settlement(7, { nonce }))
    expect(await calls()).toEqual({ 7: known('b') })
  })

  test('stays shared when one of them is removed, and a later one belongs to the other alone', async () => {
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(listingRemoved, { slug: 'a', version: 2 })
    await catalog.deliver(settlementObserved, settlement(2, { observedAt: isoTime(NOW + 2 * HOUR_MS) }))
    expect(await calls()).toEqual({ 1: sharedAs('b', 'a'), 2: known('b') })
  })

  test('is no longer shared when another price is read', async () => {
    const dearer = {
      version: 2,
      updatedAt: isoTime(NOW - 5 * HOUR_MS),
      operations: [operation('b', { price: '0.02' })],
    }
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(listingChanged, snapshot('b', dearer))
    expect(await calls()).toEqual({ 1: known('a') })
  })
})

test('a settlement that names a listing’s former resource stays with the listing after it moves', async () => {
  const operations = [operation('b', { url: 'https://new.example/ask' })]
  await catalog.deliver(
    listingChanged,
    snapshot('b', { version: 2, operations, updatedAt: isoTime(NOW - HOUR_MS / 2) }),
  )
  await catalog.deliver(settlementObserved, settlement(1, { observedAt: isoTime(NOW - 3 * HOUR_MS) }))
  await catalog.deliver(settlementObserved, settlement(2, { observedAt: isoTime(NOW) }))
  await catalog.deliver(paymentSettled, payment(1, ask('b')))
  await catalog.deliver(paymentSettled, payment(2, 'https://new.example/ask'))
  expect(await calls()).toEqual({ 1: known('b'), 2: known('b') })
})

describe('a shared settlement', () => {
  beforeEach(async () => {
    await catalog.deliver(settlementObserved, settlement(1))
    await catalog.deliver(settlementObserved, settlement(2))
    await catalog.deliver(paymentSettled, payment(2, ask('b')))
  })

  test('is in the activity of each listing, and once in that of all', async () => {
    const of = async (listing?: string) =>
      (await catalog.ask(operations.activity, { listing })).items.map(({ txHash }) => Number(txHash)).sort()
    expect([await of('a'), await of('b'), await of('other'), await of()]).toEqual([[1], [1, 2], [], [1, 2]])
    const { items } = await catalog.ask(operations.activity, { listing: 'b', address: address(500) })
    expect(items.map(({ txHash }) => Number(txHash)).sort()).toEqual([1, 2])
  })

  test('counts once in the totals, which report it, and in no listing’s own calls', async () => {
    expect((await catalog.ask(operations.stats, {})).totals).toMatchObject({
      calls: 2,
      volumeUsd: '0.02',
      shared: { count: 1, volumeUsd: '0.01' },
    })
    const { topListings, totals } = await catalog.ask(operations.addressActivity, { address: address(500) })
    expect(totals.paid).toMatchObject({ calls: 2, volumeUsd: '0.02' })
    expect(topListings).toMatchObject([
      { ref: 'b', name: 'Beta', group: 'added', calls: 1, volumeUsd: '0.01', shared: { count: 1, volumeUsd: '0.01' } },
      { ref: 'a', name: 'Alpha', group: 'added', calls: 0, volumeUsd: '0', shared: { count: 1, volumeUsd: '0.01' } },
    ])
  })

  test('is paged like any other', async () => {
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const page = await catalog.ask(operations.activity, { listing: 'b', limit: '1' as never, cursor })
      seen.push(...page.items.map(({ txHash }) => Number(txHash)))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen.sort()).toEqual([1, 2])
  })
})

test('a settlement that thirty-two listings share at one price names ten others', async () => {
  for (let n = 0; n < 30; n += 1) await catalog.deliver(listingChanged, snapshot(`c${n}`))
  await catalog.deliver(settlementObserved, settlement(1))
  const [item] = (await catalog.ask(operations.activity, {})).items
  expect(item?.shared).toEqual({ among: 32, refs: expect.any(Array) })
  expect(item?.shared?.refs).toHaveLength(10)
})
