import { router as operations } from '@callboard/contract'
import { handleBatch, handleOnce } from '@callboard/runtime'
import { type Database, openDatabase } from '@callboard/store'
import {
  type FakeClock,
  fakeClock,
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  until,
} from '@callboard/testkit'
import { type Address, DAY_MS, HOUR_MS } from '@callboard/values'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { router } from '../src/index.ts'
import type { RouterTables } from '../src/store/tables.ts'
import { holdFor, storedKey } from './router-store.ts'
import { change, envelopeOf, left, type Said, stands, TOKEN, tell } from './stake-events.ts'

const NOON = Date.parse('2026-11-23T12:00:00Z')
const RULE = { COMPUTE_DAILY_USD: '0.1', COMPUTE_USD_PER_STAKED_TOKEN: '0.001', COMPUTE_MAX_DAILY_USD: '5' }

let database: TestDatabase
let store: Database<RouterTables>
let services: TestServices
let clock: FakeClock
const start = (env: Record<string, string> = RULE) =>
  startTestServices([router], { databaseUrl: database.url, clock, env })

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  clock = fakeClock(NOON)
  services = await start()
  store = openDatabase({ url: database.url, schema: 'router', maxConnections: 4, onError: () => {} })
})
afterAll(async () => {
  await services.stop()
  await store.close()
  await database.drop()
})

const seen = async (owner: Address) => {
  const { stake, computeTodayUsd } = granted(await services.call(operations.computeOfStake, { owner }))
  return { tokens: Number(BigInt(stake) / TOKEN), usd: computeTodayUsd }
}
const untilSeen = (owner: Address, tokens: number, usd: string) =>
  until(`${tokens} tokens are worth ${usd} USD`, async () => {
    const now = await seen(owner)
    return now.tokens === tokens && now.usd === usd
  })
let made = 0
/** An address of only digits is its own EIP-55 form. */
const someOwner = (): Address => `0x${String(++made).padStart(40, '0')}`
const ownerOfKey = async () => storedKey(store.db, someOwner())
const owners = (): [Address, Address] => [someOwner(), someOwner()]
const inTokens = (block: number, owner: Address, tokens: number, at = clock.now()) =>
  change(block, owner, BigInt(tokens) * TOKEN, at)
let block = 0
const next = () => ++block

describe('the Compute of a stake', () => {
  test('default: an owner without a stake has the base', async () => {
    expect(await seen(someOwner())).toEqual({ tokens: 0, usd: '0.1' })
  })

  test('counts exactly from the next UTC day, although nothing runs at midnight', async () => {
    const { owner } = await ownerOfKey()
    await tell(services, [stands(inTokens(next(), owner, 900))], block)
    await untilSeen(owner, 900, '0.1')
    const midnight = Math.ceil(clock.now() / DAY_MS) * DAY_MS
    clock.set(midnight - 1)
    expect(await seen(owner)).toEqual({ tokens: 900, usd: '0.1' })
    clock.set(midnight)
    expect(await seen(owner)).toEqual({ tokens: 900, usd: '1' })
  })

  test('decreases at once, and what is put back counts from tomorrow', async () => {
    const owner = someOwner()
    await tell(services, [stands(inTokens(next(), owner, 900, clock.now() - DAY_MS))], block)
    await untilSeen(owner, 900, '1')
    await tell(services, [stands(inTokens(next(), owner, 400))], block)
    await untilSeen(owner, 400, '0.5')
    await tell(services, [stands(inTokens(next(), owner, 900))], block)
    await untilSeen(owner, 900, '0.5')
  })

  test('is nothing for the same tokens in a second wallet on the day they leave the first', async () => {
    const [first, second] = owners()
    await tell(services, [stands(inTokens(next(), first, 900, clock.now() - DAY_MS))], block)
    await untilSeen(first, 900, '1')
    await tell(services, [stands(inTokens(next(), first, 0))], block)
    await tell(services, [stands(inTokens(next(), second, 900))], block)
    await untilSeen(second, 900, '0.1')
    await untilSeen(first, 0, '0.1')
    clock.advance(DAY_MS)
    expect([await seen(first), await seen(second)]).toEqual([
      { tokens: 0, usd: '0.1' },
      { tokens: 900, usd: '1' },
    ])
  })

  test('is at most COMPUTE_MAX_DAILY_USD', async () => {
    const owner = someOwner()
    await tell(services, [stands(inTokens(next(), owner, 1_000_000, clock.now() - DAY_MS))], block)
    await untilSeen(owner, 1_000_000, '5')
  })
})

test('a hold is bounded by the owner’s stake, and on another day by the stake of that day', async () => {
  const key = await ownerOfKey()
  const ownerLimit = 100_000_000n
  const now = new Date(clock.now())
  const hold = (amount: bigint, days = 0) =>
    holdFor(store.db, key, amount, { ownerLimit, now: new Date(now.getTime() + days * DAY_MS) })
  expect(await hold(ownerLimit + 1n)).toMatchObject({ kind: 'refused', limit: 'owner', left: ownerLimit })
  await tell(services, [stands(inTokens(next(), key.owner, 900, clock.now() - DAY_MS))], block)
  await untilSeen(key.owner, 900, '1')
  expect(await hold(700_000_000n)).toMatchObject({ kind: 'held', left: { owner: 300_000_000n } })
  await tell(services, [stands(inTokens(next(), key.owner, 100))], block)
  await untilSeen(key.owner, 100, '0.2')
  expect(await hold(1n)).toMatchObject({ kind: 'refused', limit: 'owner', left: 0n })
  expect(await hold(200_000_001n, 1)).toMatchObject({ kind: 'refused', left: 200_000_000n })
  expect(await hold(200_000_000n, 1)).toMatchObject({ kind: 'held', left: { owner: 0n } })
})

describe('what the chain reports', () => {
  test('a change whose block left the chain never happened: the previous stake holds for the whole day', async () => {
    const owner = someOwner()
    const before = inTokens(next(), owner, 900, clock.now() - DAY_MS)
    const gone = inTokens(next(), owner, 0)
    await tell(services, [stands(before)], block - 1)
    await tell(services, [stands(gone)], block)
    await untilSeen(owner, 0, '0.1')
    await tell(services, [left(gone)], block + 1)
    await untilSeen(owner, 900, '1')
    await tell(services, [stands({ ...gone, blockHash: before.blockHash })], block + 2)
    await untilSeen(owner, 0, '0.1')
    block += 2
  })

  const heard = fc.array(
    fc.record({
      hours: fc.integer({ min: 0, max: 20 }),
      tokens: fc.integer({ min: 0, max: 1_000 }),
      taken: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )

  test('gives the same days in whatever order and however often it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(heard, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), async (facts, random) => {
        const [one, other] = owners()
        const [inOrder, shuffled] = [one, other].map((owner) => historyOf(owner, facts)) as [Said[], Said[]]
        const places = shuffled.map((said, at) => ({ said, at, by: random.next().value }))
        const mixed = places.toSorted((a, b) => a.by - b.by)
        for (const [at, said] of inOrder.entries()) await take(said, at, `${one}-${at}`)
        for (const { said, at } of mixed) await take(said, at, `${other}-${at}`)
        for (const { said, at } of mixed.slice(0, 2)) await take(said, at, `${other}-${at}-again`)
        expect(await daysOf(other)).toEqual(await daysOf(one))
      }),
      { numRuns: 15 },
    )
  })

  /** Changes, some of which are reverted, under the same names for every owner. */
  function historyOf(owner: Address, facts: readonly { hours: number; tokens: number; taken: boolean }[]): Said[] {
    let at = clock.now() - 2 * DAY_MS
    return facts.flatMap(({ hours, tokens, taken }, place) => {
      at += hours * HOUR_MS
      const told = {
        ...inTokens(place, owner, tokens, at),
        txHash: `0x${owner.slice(2)}${String(place).padStart(24, '0')}`,
      }
      const said = stands(told as ReturnType<typeof change>)
      return taken ? [said, left(told as ReturnType<typeof change>)] : [said]
    })
  }

  const daysOf = (owner: Address) =>
    database.query('select day::text, stake, limit_nano from router.compute_day where owner = $1 order by day', [owner])

  test('gives the same days together or one by one', async () => {
    const [one, other] = owners()
    const facts = [300, 900, 0, 500].map((tokens, at) => ({ hours: 15, tokens, taken: at === 2 }))
    const [single, together] = [historyOf(one, facts), historyOf(other, facts)]
    for (const [at, said] of single.entries()) await take(said, at, `${one}-${at}`)
    const [batch] = router.consumes.flatMap(({ batch }) => batch ?? [])
    const ctx = services.contexts.get('router')
    if (!batch || !ctx) throw new Error('the Router does not hear of stakes')
    await handleBatch(
      batch,
      ctx,
      together.map((said, at) => envelopeOf(said, at, `${other}-${at}`)),
    )
    expect(await daysOf(other)).toEqual(await daysOf(one))
    expect(await daysOf(one)).not.toEqual([])
  })

  /** Consumes an event as delivered by the bus, and returns when that is done. */
  async function take(said: Said, sequence: number, id: string) {
    const consumption = router.consumes.find(({ event }) => event.id === said.event.id)
    const ctx = services.contexts.get('router')
    if (!consumption || !ctx) throw new Error('the Router does not hear of stakes')
    await handleOnce(consumption, ctx, envelopeOf(said, sequence, id))
  }
})

test('a changed rule in the settings applies to earlier stakes too', async () => {
  const owner = someOwner()
  await tell(services, [stands(inTokens(next(), owner, 900, clock.now() - DAY_MS))], block)
  await untilSeen(owner, 900, '1')
  await services.stop()
  services = await start({ ...RULE, COMPUTE_USD_PER_STAKED_TOKEN: '0.002' })
  await untilSeen(owner, 900, '1.9')
})
