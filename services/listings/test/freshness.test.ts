import {
  type DataOf,
  type EventDeclaration,
  eventName,
  noChecks,
  type ObservedSettlement,
  listings as operations,
  probeCompleted,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '@callboard/values'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, goLive, mineOf, openStage, type Stage, snapshots, splitterOf, verify } from './stage.ts'

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
  test('begin with the activation, and are shown as liveness', async () => {
    const slug = await goLive(stage, 1, 'Lively')
    const { liveness } = await mineUntil(slug, 'the first check shows', ({ liveness: { checks7d } }) => checks7d > 0)
    expect(liveness).toMatchObject({ uptime7d: 1, checks7d: 1, latencyP50Ms: expect.any(Number) })
    expect(await snapshots(stage, slug)).toHaveLength(1)
  })

  test('follow the price, and a change is published once', async () => {
    const slug = await goLive(stage, 1, 'Pricey')
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/pricey', { payTo: splitterAddress, amount: '70000' })
    await checkAgain(slug)
    await mineUntil(slug, 'the new price shows', ({ operations: [one] }) => one?.price === '0.07')
    await checkAgain(slug)
    expect((await snapshots(stage, slug)).map(({ operations: [one] }) => one?.price)).toEqual(['0.01', '0.07'])
  })

  test('suspend a listing that avoids the splitter, with a reason, until it is revised and activated', async () => {
    const slug = await goLive(stage, 1, 'Switch')
    granted(await verify(stage, slug))
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/switch', { payTo: splitterAddress, beside: [{ payTo: wallet(6).address, amount: '1' }] })
    await checkAgain(slug)
    const listing = await mineUntil(slug, 'it is suspended', ({ status }) => status === 'suspended')
    expect(listing).toMatchObject({ verification: 'none', suspendedReason: expect.stringContaining(wallet(6).address) })
    expect((await snapshots(stage, slug)).at(-1)).toMatchObject({
      status: 'suspended',
      conformance: { issues: expect.arrayContaining(['PAYTO_CHANGED']) },
    })
    stage.provider.set('/switch', { payTo: splitterAddress })
    granted(await act(stage, 1, slug, 'revise'))
    granted(await act(stage, 1, slug, 'activate'))
    expect(await mineOf(stage, 1, slug)).toMatchObject({
      status: 'live',
      suspendedReason: null,
      operations: [{ price: '0.01' }],
    })
  })

  test('find an offer that no stock client pays: the endpoint has no price, and its owner can read why', async () => {
    const slug = await goLive(stage, 1, 'Unpayable')
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/unpayable', { payTo: splitterAddress, amount: '0' })
    await checkAgain(slug)
    const listing = await mineUntil(slug, 'the payment is cleared', ({ operations: [one] }) => one?.payment === null)
    expect(listing).toMatchObject({
      status: 'live',
      operations: [{ price: null, problem: expect.stringContaining('refused for: amount') }],
    })
    stage.provider.set('/unpayable', { payTo: splitterAddress })
    await checkAgain(slug)
    const back = await mineUntil(slug, 'it is payable again', ({ operations: [one] }) => one?.payment !== null)
    expect(back.operations[0]).not.toHaveProperty('problem')
  })

  test('that find the same write no operations, which may be long, and still say when they were read', async () => {
    const slug = await goLive(stage, 1, 'Steady')
    const stored = async () => {
      const [row] = await stage.database.query<{ checked_at: string }>(
        `select operations -> 0 -> 'payment' ->> 'checkedAt' as checked_at from listings.listing where slug = $1`,
        [slug],
      )
      return row?.checked_at
    }
    await mineUntil(slug, 'the first check shows', ({ liveness: { checks7d } }) => checks7d > 0)
    const before = await stored()
    for (let check = 0, shown = before ?? ''; check < 2; check += 1) {
      const than = shown
      await checkAgain(slug)
      const isLater = ({ operations: [one] }: Awaited<ReturnType<typeof mineOf>>) =>
        (one?.payment?.checkedAt ?? '') > than
      shown = (await mineUntil(slug, 'the time shows', isLater)).operations[0]?.payment?.checkedAt ?? ''
    }
    expect(await stored()).toBe(before)
    const { splitterAddress } = await splitterOf(stage, 1)
    stage.provider.set('/steady', { payTo: splitterAddress, amount: '70000' })
    await checkAgain(slug)
    const changed = await mineUntil(slug, 'the new price shows', ({ operations: [one] }) => one?.price === '0.07')
    expect(await stored()).toBe(changed.operations[0]?.payment?.checkedAt)
  })

  test('suspend a listing after SUSPEND_AFTER_DOWN downs in a row, and then end', async () => {
    const slug = await goLive(stage, 1, 'Doomed')
    await mineUntil(slug, 'the first check shows', ({ liveness: { checks7d } }) => checks7d > 0)
    stage.provider.set('/doomed', (_req, res) => res.writeHead(500).end())
    await checkAgain(slug)
    await checkAgain(slug)
    expect(await mineOf(stage, 1, slug)).toMatchObject({ status: 'live' })
    await checkAgain(slug)
    const doomed = await mineUntil(slug, 'it is suspended', ({ status }) => status === 'suspended')
    expect(doomed.suspendedReason).toMatch(/3 checks in a row found it down \(server_error\)/)
    expect((await snapshots(stage, slug)).at(-1)).toMatchObject({ status: 'suspended', version: 3 })
    await until('it is no longer watched', async () => {
      const targets = await stage.database.query('select 1 from liveness_prober.target where slug = $1', [slug])
      return targets.length === 0
    })
  })

  test('a late check of an earlier time, or of an endpoint that was replaced, suspends nothing', async () => {
    const slug = await goLive(stage, 1, 'Mended')
    const [operation] = (await mineOf(stage, 1, slug)).operations
    if (!operation) throw new Error('It has no operation')
    const { url, method } = operation
    const down = { slug, url, method, state: 'server_error', verdict: 'down', consecutiveDown: 3 } as const
    const checkedAt = isoTime(stage.clock.now())
    const more = { latencyMs: null, accepts: null, conformance: null, liveness: noChecks }
    await publish(probeCompleted, { ...down, ...more, checkedAt: isoTime(stage.clock.now() - HOUR_MS) })
    await publish(probeCompleted, { ...down, ...more, checkedAt, url: `${url}/before` })
    expect(await mineOf(stage, 1, slug)).toMatchObject({ status: 'live' })
    await publish(probeCompleted, { ...down, ...more, checkedAt })
    await mineUntil(slug, 'a current one suspends it', ({ status }) => status === 'suspended')
  })

  test('of several listings of one wallet cannot deadlock with what changes one of them meanwhile', async () => {
    const slugs = [await goLive(stage, 1, 'Amber'), await goLive(stage, 1, 'Coral')]
    const sold = await Promise.all(slugs.map(async (slug) => (await mineOf(stage, 1, slug)).operations))
    const { splitterAddress } = await splitterOf(stage, 1)
    const other = new pg.Client({ connectionString: stage.database.url })
    await other.connect()
    await other.query('begin')
    await other.query('select from listings.listing where slug = $1 for no key update', [slugs[1]])
    const checkedAt = isoTime(stage.clock.now())
    const down = { state: 'server_error', verdict: 'down', consecutiveDown: 3, checkedAt } as const
    const more = { latencyMs: null, accepts: null, conformance: null, liveness: noChecks }
    for (const [at, slug] of slugs.entries()) {
      for (const { url, method } of sold[at] ?? [])
        void publish(probeCompleted, { ...down, ...more, slug, url, method })
    }
    await until('the checks wait for it', async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await stage.database.query(waiting)).length > 0
    })
    const lock = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken'
    const { rows } = await other.query(lock, [`listings:payee:eip155:31337:${splitterAddress}`])
    await other.query('commit')
    await other.end()
    expect(rows).toEqual([{ taken: true }])
    for (const slug of slugs) await mineUntil(slug, 'it is suspended', ({ status }) => status === 'suspended')
  })
})

let sequence = 0
async function publish(
  event: EventDeclaration,
  data: { readonly txHash: string } | DataOf<typeof probeCompleted>,
): Promise<void> {
  sequence += 1
  await stage.services.bus.events.publish({
    id: `chain-${sequence}`,
    name: eventName(event),
    key: 'txHash' in data ? data.txHash : data.slug,
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
    stage.clock.advance(9 * DAY_MS)
  })

  test('to a listing’s splitter are its calls and revenue, with the last week’s separately', async () => {
    await publish(settlementObserved, settled('1'))
    await publish(settlementObserved, settled('2', { observedAt: isoTime(stage.clock.now() - 8 * DAY_MS) }))
    await publish(settlementObserved, settled('1'))
    expect(await mineOf(stage, 2, slug)).toMatchObject({
      calls: { total: 2, last7d: 1 },
      revenue: { amountUsd: '0.02', last7dUsd: '0.01' },
    })
  })

  test('that a reorganisation reverted are gone, unless another block has them', async () => {
    const reverted = { network: 'eip155:31337' as const, logIndex: 1, blockHash: hash('b') }
    await publish(settlementReverted, { ...reverted, txHash: hash('1') })
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 1 } })
    await publish(settlementObserved, settled('2', { blockHash: hash('c') }))
    await publish(settlementReverted, { ...reverted, txHash: hash('2') })
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 1 } })
  })

  test('of zero do not count', async () => {
    await publish(settlementObserved, settled('9', { amount: '0' }))
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 1 }, transfers: { total: 0 } })
  })

  test('of an amount that was not asked are transfers: no calls, and separate from the revenue', async () => {
    await publish(settlementObserved, settled('6', { amount: '7' }))
    expect(await mineOf(stage, 2, slug)).toMatchObject({
      calls: { total: 1 },
      revenue: { amountUsd: '0.01' },
      transfers: { total: 1, amountUsd: '0.000007' },
    })
  })

  test('at a price that the next check reads become calls then, even if they are up to an hour old', async () => {
    await publish(
      settlementObserved,
      settled('7', { amount: '50000', observedAt: isoTime(stage.clock.now() - 30 * MINUTE_MS) }),
    )
    await publish(
      settlementObserved,
      settled('8', { amount: '50000', observedAt: isoTime(stage.clock.now() - 61 * MINUTE_MS) }),
    )
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 1 }, transfers: { total: 3 } })
    stage.provider.set('/earning', { payTo, amount: '50000' })
    granted(await stage.services.call(operations.resync, { slug }))
    expect(await mineOf(stage, 2, slug)).toMatchObject({
      calls: { total: 2 },
      revenue: { amountUsd: '0.06' },
      transfers: { total: 2 },
    })
    stage.provider.set('/earning', { payTo })
    granted(await stage.services.call(operations.resync, { slug }))
  })

  test('to others, or in another token, belong to no listing', async () => {
    await publish(settlementObserved, settled('3', { payTo: wallet(9).address }))
    await publish(settlementObserved, settled('4', { asset: wallet(9).address }))
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 2 }, transfers: { total: 2 } })
  })

  test('of listings that share a splitter go to the one that asks that amount', async () => {
    stage.clock.advance(HOUR_MS)
    const second = await goLive(stage, 2, 'Second')
    stage.provider.set('/second', { payTo, amount: '30000' })
    granted(await stage.services.call(operations.resync, { slug: second }))
    await publish(settlementObserved, settled('5', { amount: '30000' }))
    expect(await mineOf(stage, 2, second)).toMatchObject({ calls: { total: 1 }, revenue: { amountUsd: '0.03' } })
    expect(await mineOf(stage, 2, slug)).toMatchObject({ calls: { total: 2 } })
  })
})
