import {
  type EventDeclaration,
  eventName,
  type ObservedSettlement,
  listings as operations,
  paymentSettled,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { type FakeClock, granted, wallet } from '@callboard/testkit'
import { type Address, type Hex, HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, goLive, mineOf, openStage, publishAs, type Stage, splitterOf } from './stage.ts'

let stage: Stage
let clock: FakeClock
let payTo: Address

/** Two listings of one wallet with one price. */
beforeAll(async () => {
  stage = await openStage()
  clock = stage.clock
  await goLive(stage, 1, 'First')
  await goLive(stage, 1, 'Second')
  payTo = (await splitterOf(stage, 1)).splitterAddress
})
afterAll(() => stage?.close())

let sequence = 0
async function publish<Event extends EventDeclaration>(event: Event, data: Record<string, unknown>): Promise<void> {
  sequence += 1
  await stage.services.bus.events.publish({
    id: `told-${sequence}`,
    name: eventName(event),
    key: String(data[event.key]),
    sequence,
    source: 'test',
    occurredAt: isoTime(clock.now()),
    data: event.data.parse(data),
  })
}

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

const settled = (number: number, more: Partial<ObservedSettlement> = {}): ObservedSettlement => ({
  network: 'eip155:31337',
  txHash: hash(number),
  logIndex: 1,
  blockNumber: '10',
  blockHash: hash(1_000 + number),
  observedAt: isoTime(clock.now()),
  payer: wallet(5).address,
  payTo,
  asset: stage.devnet.usdc.address,
  amount: '10000',
  decimals: 6,
  nonce: hash(2_000 + number),
  facilitator: null,
  ...more,
})

const paid = (number: number, path: string | null, more: { foreign?: boolean; payTo?: Address } = {}) => {
  const { network, asset, payer, amount, nonce, txHash } = settled(number)
  const resourceUrl = path === null ? null : stage.provider.url(path)
  const settledAt = isoTime(clock.now())
  return { network, asset, payer, payTo, amount, nonce, txHash, settledAt, foreign: false, resourceUrl, ...more }
}

/** Own and shared calls of both listings. */
async function counts() {
  const of = async (slug: string) => {
    const { calls, shared } = await mineOf(stage, 1, slug)
    return { own: calls.total, shared: shared.calls.total }
  }
  return { first: await of('first'), second: await of('second') }
}

describe('a call of two listings of one wallet that ask the same price', () => {
  test('belongs to the one whose resource the payment named, in whatever order that becomes known', async () => {
    await publish(settlementObserved, settled(1))
    expect(await counts()).toEqual({ first: { own: 0, shared: 1 }, second: { own: 0, shared: 1 } })
    await publish(paymentSettled, paid(1, '/second'))
    await publish(paymentSettled, paid(2, '/second'))
    await publish(settlementObserved, settled(2))
    expect(await counts()).toEqual({ first: { own: 0, shared: 0 }, second: { own: 2, shared: 0 } })
    expect(await mineOf(stage, 1, 'second')).toMatchObject({ revenue: { amountUsd: '0.02', last7dUsd: '0.02' } })
  })

  test('is shared if no resource is known, and is in no listing’s own sums', async () => {
    await publish(paymentSettled, paid(3, null))
    await publish(settlementObserved, settled(3))
    await publish(settlementObserved, settled(4))
    await publish(paymentSettled, paid(4, '/second', { foreign: true }))
    expect(await counts()).toEqual({ first: { own: 0, shared: 2 }, second: { own: 2, shared: 2 } })
    const { shared, revenue } = await mineOf(stage, 1, 'second')
    expect([shared.revenue.amountUsd, revenue.amountUsd]).toEqual(['0.02', '0.02'])
  })

  test('goes with a reorganisation, and returns to the same listing in another transaction', async () => {
    const { network, txHash, logIndex, blockHash, nonce } = settled(1)
    await publish(settlementReverted, { network, txHash, logIndex, blockHash })
    expect((await counts()).second).toEqual({ own: 1, shared: 2 })
    await publish(settlementObserved, settled(11, { nonce }))
    expect((await counts()).second).toEqual({ own: 2, shared: 2 })
  })

  test('comes from concurrent events, and none is lost', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => [
        publish(settlementObserved, settled(20 + n)),
        publish(paymentSettled, paid(20 + n, '/first')),
      ]).flat(),
    )
    expect((await counts()).first).toEqual({ own: 8, shared: 2 })
  })

  test('is not moved to a listing of another wallet', async () => {
    await goLive(stage, 2, 'Foreign')
    await publish(paymentSettled, paid(40, '/foreign'))
    await publish(settlementObserved, settled(40))
    await publish(paymentSettled, paid(41, '/foreign', { payTo: (await splitterOf(stage, 2)).splitterAddress }))
    await publish(settlementObserved, settled(41))
    expect(await mineOf(stage, 2, 'foreign')).toMatchObject({
      calls: { total: 0 },
      shared: { calls: { total: 0 } },
    })
    expect((await counts()).first).toEqual({ own: 8, shared: 4 })
  })

  test('is no longer shared from the time when the other one asks another price', async () => {
    stage.provider.set('/second', { payTo, amount: '30000' })
    granted(await stage.services.call(operations.resync, { slug: 'second' }))
    clock.advance(2 * HOUR_MS)
    await publish(settlementObserved, settled(50))
    expect((await counts()).first).toEqual({ own: 9, shared: 4 })
  })
})

describe('publish and activate warn', () => {
  test('of a price that another listing of the wallet asks, and of a URL that it sells', async () => {
    stage.provider.set('/third', { payTo })
    const urls = [stage.provider.url('/third'), stage.provider.url('/first?of=query')]
    const { listing, warnings } = granted(await publishAs(stage, 1, { name: 'Third', urls }))
    expect(warnings).toEqual([
      { code: 'shared_price', field: 'operations.0.url', message: expect.stringContaining('first') },
      { code: 'shared_resource', field: 'operations.1.url', message: expect.stringContaining('first') },
    ])
    expect(granted(await act(stage, 1, listing.slug, 'activate')).warnings.map(({ code }) => code)).toEqual([
      'shared_price',
      'shared_resource',
      'hidden_until_verified',
    ])
    const asked = granted(await act(stage, 1, listing.slug, 'request_verification'))
    expect(asked.warnings).toEqual([])
  })

  test('of nothing if prices differ, or another wallet is paid', async () => {
    stage.provider.set('/fourth', { payTo, amount: '77' })
    const urls = [stage.provider.url('/fourth')]
    expect(granted(await publishAs(stage, 1, { name: 'Fourth', urls })).warnings).toEqual([])
    stage.provider.set('/fifth', { payTo: (await splitterOf(stage, 3)).splitterAddress })
    const other = { name: 'Fifth', urls: [stage.provider.url('/fifth')] }
    expect(granted(await publishAs(stage, 3, other)).warnings).toEqual([])
  })
})
