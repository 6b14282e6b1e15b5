import {
  type CatalogueEntry,
  listingChanged,
  catalog as operations,
  probeCompleted,
  type ShownOffer,
  settlementObserved,
} from '@callboard/contract'
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockedLedger, NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, mirrored, operation, probe, settlement, snapshot, USDC } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

const entry = (serviceId: string): Promise<CatalogueEntry> => catalog.ask(operations.entry, { serviceId })
const offer = (more: Partial<ShownOffer> = {}): ShownOffer => ({
  ...{ scheme: 'exact', network: BASE, asset: USDC, amount: '10000', payTo: address(1), maxTimeoutSeconds: 60 },
  ...{ payable: true, notPayableReason: null, ...more },
})

describe('the offer of an endpoint', () => {
  test('is shown as its listing has it and as a check last read it, with the differences', async () => {
    await catalog.deliver(listingChanged, snapshot('a'))
    await catalog.deliver(probeCompleted, probe('a', { accepts: [offer({ amount: '20000' })] }))
    const [request] = (await entry('a')).requests
    expect(request?.offers).toEqual({
      stored: { ...operation('a').payment, price: '0.01' },
      live: { accepts: [offer({ amount: '20000' })], state: 'ok_402', checkedAt: isoTime(NOW - HOUR_MS) },
      differences: [{ field: 'amount', stored: '10000', live: '20000' }],
    })
  })

  test('is the newest that was read, whichever event comes first, even if a later check read none', async () => {
    const check = (minutes: number, accepts: ShownOffer[] | null) =>
      probe('a', { checkedAt: isoTime(NOW - minutes * MINUTE_MS), accepts })
    await catalog.deliver(probeCompleted, check(10, [offer({ amount: '30000' })]))
    await catalog.deliver(probeCompleted, check(20, [offer({ amount: '20000' })]))
    await catalog.deliver(probeCompleted, check(5, null))
    await catalog.deliver(listingChanged, snapshot('a'))
    const [request] = (await entry('a')).requests
    expect(request?.offers.live).toMatchObject({
      accepts: [{ amount: '30000' }],
      checkedAt: isoTime(NOW - 10 * MINUTE_MS),
    })
  })
})

describe('the changes of an offer', () => {
  const asking = (version: number, price: string) =>
    snapshot('a', {
      version,
      operations: [operation('a', { price })],
      updatedAt: isoTime(NOW - (10 - version) * HOUR_MS),
    })

  test('are dated, newest first, whatever order the versions arrived in', async () => {
    for (const [version, price] of [
      [3, '0.02'],
      [1, '0.01'],
      [4, '0.02'],
      [2, '0.05'],
    ] as const) {
      await catalog.deliver(listingChanged, asking(version, price))
    }
    const at = (version: number) => isoTime(NOW - (10 - version) * HOUR_MS)
    expect((await entry('a')).offerChanges).toEqual([
      { at: at(3), method: 'GET', url: 'https://a.example/ask', field: 'price', from: '0.05', to: '0.02' },
      { at: at(2), method: 'GET', url: 'https://a.example/ask', field: 'price', from: '0.01', to: '0.05' },
    ])
  })

  test('leave out the time while a listing was a draft or offline', async () => {
    await catalog.deliver(listingChanged, { ...asking(1, '0.09'), status: 'draft', listedAt: null })
    await catalog.deliver(listingChanged, asking(2, '0.01'))
    await catalog.deliver(listingChanged, { ...asking(3, '0.07'), status: 'suspended' })
    await catalog.deliver(listingChanged, asking(4, '0.01'))
    expect((await entry('a')).offerChanges).toEqual([])
  })
})

test('an entry has seven UTC days of settled calls, with zeros for empty ones, and the newest settlements', async () => {
  await catalog.deliver(listingChanged, snapshot('week', { updatedAt: isoTime(NOW - 20 * DAY_MS) }))
  const settled = (number: number, ageMs: number) => settlement(number, { observedAt: isoTime(NOW - ageMs) })
  await catalog.deliver(settlementObserved, settled(1, HOUR_MS))
  await catalog.deliver(settlementObserved, settled(2, 2 * HOUR_MS))
  await catalog.deliver(settlementObserved, settled(3, 6 * DAY_MS))
  await catalog.deliver(settlementObserved, settled(4, 8 * DAY_MS))
  const { week, recentSettlements } = await entry('week')
  expect(week).toEqual(
    [14, 15, 16, 17, 18, 19, 20].map((day) => ({
      start: `2026-11-${day}T00:00:00.000Z`,
      ...(day === 20
        ? { calls: 2, volumeUsd: '0.02', surviving: { count: 2, volumeUsd: '0.02' } }
        : day === 14
          ? { calls: 1, volumeUsd: '0.01', surviving: { count: 1, volumeUsd: '0.01' } }
          : { calls: 0, volumeUsd: '0', surviving: { count: 0, volumeUsd: '0' } }),
    })),
  )
  expect(recentSettlements.map(({ txHash }) => Number(txHash))).toEqual([1, 2, 3, 4])
})

test('a week that took long to read is not read for each request, so that nobody keeps the database busy', async () => {
  await catalog.deliver(listingChanged, snapshot('busy'))
  await catalog.deliver(settlementObserved, settlement(1))
  const { over } = await lockedLedger(catalog, 0.3)
  const read = async () => {
    const { week, recentSettlements } = await entry('busy')
    return { calls: week.at(-1)?.calls, newest: recentSettlements.length }
  }
  expect(await read()).toEqual({ calls: 1, newest: 1 })
  await over
  await catalog.deliver(settlementObserved, settlement(2))
  expect(await read()).toEqual({ calls: 1, newest: 2 })
})

test('other published listings of a payee are named, and no others', async () => {
  await catalog.deliver(listingChanged, snapshot('a'))
  await catalog.deliver(listingChanged, snapshot('b', { name: 'The other' }))
  await catalog.deliver(listingChanged, snapshot('c', { payTo: [{ network: BASE, address: address(3) }] }))
  await catalog.deliver(listingChanged, snapshot('d', { status: 'suspended' }))
  expect((await entry('a')).samePayee).toEqual([{ ref: 'b', name: 'The other', group: 'added' }])
})

test('a listing that paid an address before, and pays another now, is not of the same payee', async () => {
  await catalog.deliver(listingChanged, snapshot('a'))
  await catalog.deliver(listingChanged, mirrored('guest'))
  expect((await entry('a')).samePayee).toMatchObject([{ ref: 'guest' }])
  await catalog.deliver(
    listingChanged,
    mirrored('guest', { version: 2, payTo: [{ network: BASE, address: address(3) }] }),
  )
  expect((await entry('a')).samePayee).toEqual([])
  expect((await entry('guest')).samePayee).toEqual([])
})

test('a call can be built and paid from what the entry says', async () => {
  const inputSchema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
  const sample = { body: { q: 'tide' }, headers: { 'x-client': 'probe' } }
  const posted = operation('a', { method: 'POST', inputSchema, sample })
  await catalog.deliver(
    listingChanged,
    snapshot('a', { operations: [posted, operation('a', { price: null, payment: null })] }),
  )
  const [first, second] = (await entry('a')).requests
  expect(first).toMatchObject({ inputSchema, sampleInput: { q: 'tide' } })
  expect(first?.howToPay?.cli).toBe(
    `npx callboard pay 'https://a.example/ask' -X POST -H 'content-type: application/json' -d '{"q":"tide"}' --max 0.01 --asset '${BASE}/${USDC}'`,
  )
  expect(second).toMatchObject({ sampleInput: null, howToPay: null })
})
