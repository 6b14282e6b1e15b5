import {
  type EventDeclaration,
  eventName,
  type ObservedSettlement,
  listings as operations,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { until, wallet } from '@callboard/testkit'
import { DAY_MS, isoTime, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goLive, granted, mineOf, openStage, type Stage, snapshots, splitterOf } from './stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage({ SUSPEND_AFTER_DOWN: '3' })
})
afterAll(() => stage?.close())

const mineUntil = (slug: string, what: string, is: (listing: Awaited<ReturnType<typeof mineOf>>) => boolean) =>
  until(what, async () => {
    const listing = await mineOf(stage, 1, slug)
    return is(listing) && listing
  })

/** Lets the schedule check everything once more. */
async function checkAgain(slug: string): Promise<void> {
  const checks = async () =>
    (
      await stage.database.query(`select 1 from liveness_prober.outbox where key = $1 and published_at is not null`, [
        slug,
      ])
    ).length
  const before = await checks()
  stage.clock.advance(11 * MINUTE_MS)
  await until(`another check of ${slug}`, async () => (await checks()) > before)
}

describe('the schedule’s checks', () => {
  test('begin with the activation and show as liveness', async () => {
    const slug = await goLive(stage, 1, 'Lively')
    const { liveness } = await mineUntil(slug, 'the first check shows', ({ liveness: { checks7d } }) => checks7d > 0)
    expect(liveness).toMatchObject({ uptime7d: 1, checks7d: 1, latencyP50Ms: expect.any(Number) })
    expect(await snapshots(stage, slug)).toHaveLength(1)
  })

  test('follow the price; the public hears of it once', async () => {
    const slug = await goLive(stage, 1, 'Pricey')
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/pricey', { payTo: splitterAddress, amount: '70000' })
    await checkAgain(slug)
    await mineUntil(slug, 'the new price shows', ({ operations: [one] }) => one?.price === '0.07')
    await checkAgain(slug)
    expect((await snapshots(stage, slug)).map(({ operations: [one] }) => one?.price)).toEqual(['0.01', '0.07'])
  })

  test('find a changed payee: not payable, and verification is gone', async () => {
    const slug = await goLive(stage, 1, 'Switch')
    granted(await stage.services.call(operations.review, { slug, verdict: 'verify' }))
    stage.provider.set('/switch', { payTo: wallet(6).address })
    await checkAgain(slug)
    const listing = await mineUntil(slug, 'the payment is cleared', ({ operations: [one] }) => one?.payment === null)
    expect(listing).toMatchObject({ status: 'live', verification: 'none', operations: [{ price: null }] })
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/switch', { payTo: splitterAddress })
    await checkAgain(slug)
    const back = await mineUntil(slug, 'it is payable again', ({ operations: [one] }) => one?.payment !== null)
    expect(back).toMatchObject({ verification: 'none', operations: [{ price: '0.01' }] })
  })

  test('suspend a listing after SUSPEND_AFTER_DOWN downs in a row, and are over with it', async () => {
    const slug = await goLive(stage, 1, 'Doomed')
    await mineUntil(slug, 'the first check shows', ({ liveness: { checks7d } }) => checks7d > 0)
    stage.provider.set('/doomed', (_req, res) => res.writeHead(500).end())
    await checkAgain(slug)
    await checkAgain(slug)
    expect(await mineOf(stage, 1, slug)).toMatchObject({ status: 'live' })
    await checkAgain(slug)
    await mineUntil(slug, 'it is suspended', ({ status }) => status === 'suspended')
    expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'suspended', version: 3 })
    await until('it is no longer watched', async () => {
      const targets = await stage.database.query('select 1 from liveness_prober.target where slug = $1', [slug])
      return targets.length === 0
    })
  })
})

let sequence = 0
async function tell(event: EventDeclaration, data: { txHash: string }): Promise<void> {
  sequence += 1
  await stage.services.bus.events.publish({
    id: `chain-${sequence}`,
    name: eventName(event),
    key: data.txHash,
    sequence,
    source: 'chain-indexer',
    occurredAt: isoTime(Date.now()),
    data,
  })
}

const hash = (digit: string) => `0x${digit.repeat(64)}` as const

describe('settlements', () => {
  let payTo: `0x${string}`
  let slug: string

  const settled = (digit: string, more: Partial<ObservedSettlement> = {}): ObservedSettlement => ({
    network: 'eip155:31337',
    txHash: hash(digit),
    logIndex: 1,
    blockNumber: '10',
    blockHash: hash('b'),
    observedAt: isoTime(stage.clock.now()),
    payer: wallet(5).address,
    payTo,
    asset: stage.devnet.usdc.address,
    amount: '10000',
    decimals: 6,
    nonce: hash('e'),
    facilitator: null,
    ...more,
  })

  beforeAll(async () => {
    slug = await goLive(stage, 2, 'Earning')
    payTo = (await splitterOf(stage, 2)).splitterAddress
  })

  test('to a listing’s splitter are its calls and revenue, the week’s apart', async () => {
    await tell(settlementObserved, settled('1'))
    await tell(settlementObserved, settled('2', { observedAt: isoTime(stage.clock.now() - 8 * DAY_MS) }))
    await tell(settlementObserved, settled('1'))
    expect(await mineOf(stage, 2, slug)).toMatchObject({
      calls: { total: 2, last7d: 1 },
      revenue: { amountUsd: '0.02', last7dUsd: '0.01' },
    })
  })

  test('that a reorganisation took back are gone, unless another block has them', async () => {
    const reverted = { network: 'eip155:31337' as const, logIndex: 1, blockHash: hash('b') }
    await tell(settlementReverted, { ...reverted, txHash: hash('1') })
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 1 } })
    await tell(settlementObserved, settled('2', { blockHash: hash('c') }))
    await tell(settlementReverted, { ...reverted, txHash: hash('2') })
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 1 } })
  })

  test('to others, or in another token, are nobody’s', async () => {
    await tell(settlementObserved, settled('3', { payTo: wallet(9).address }))
    await tell(settlementObserved, settled('4', { asset: wallet(9).address }))
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 1 } })
  })

  test('of listings that share a splitter go to the one that asks the amount', async () => {
    stage.provider.set('/other', { payTo, amount: '30000' })
    const second = await goLive(stage, 2, 'Second')
    stage.provider.set('/second', { payTo, amount: '30000' })
    granted(await stage.services.call(operations.resync, { slug: second }))
    await tell(settlementObserved, settled('5', { amount: '30000' }))
    expect(await mineOf(stage, 2, second)).toMatchObject({ calls: { total: 1 }, revenue: { amountUsd: '0.03' } })
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 1 } })
  })
})
