import { until } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { dayOf } from '../src/domain/day.ts'
import { budgetsOf, subjectOf } from '../src/store/budget.repository.ts'
import { sold } from './models-file.ts'
import { type MadeKey, openStage, type Stage } from './stage.ts'

/** The daily Compute; about fifty concurrent calls hold all of it. */
const LIMIT = 12_000_000n
const LIMIT_USD = '0.012'

/** Its answers take long enough for midnight to pass first. */
const SLOW = 'small-slow'

let stage: Stage
let key: MadeKey
/** The first moment of a day, by the stage's clock. */
let midnight: number

beforeAll(async () => {
  stage = await openStage(inject('postgresUrl'), {
    models: [sold('small', 'ok'), { ...sold('small', 'slow-first:delay-1500'), id: SLOW }],
    env: {
      COMPUTE_DAILY_USD: LIMIT_USD,
      ROUTER_CONCURRENCY: '1000',
      ...{ ROUTER_REQUESTS_PER_MINUTE: '1000000', ROUTER_TOKENS_PER_MINUTE: '1000000000' },
    },
  })
})
beforeEach(async () => {
  key = await stage.key({ source: 'compute' })
  midnight = Math.ceil(stage.clock.now() / DAY_MS) * DAY_MS
  stage.clock.set(midnight - 1)
})
afterAll(() => stage.close())

/** Makes concurrent calls. @returns how many had each status */
async function calls(count: number, model: string): Promise<Record<number, number>> {
  const body = { model, max_tokens: 20, messages: [{ role: 'user', content: 'What does a listing need?' }] }
  const statuses = await Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await stage.post(key, '/v1/chat/completions', body)
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  return Object.fromEntries([200, 402].map((status) => [status, statuses.filter((one) => one === status).length]))
}

interface Day {
  readonly day: string
  readonly calls: number
  readonly cost: bigint
  readonly held: bigint
}

/** The totals of the key's calls, by the day that they belong to. */
async function days(): Promise<Day[]> {
  const { rows } = await sql<Record<'cost' | 'held', string> & Pick<Day, 'day' | 'calls'>>`
    select day::text, count(*)::integer as calls, sum(coalesce(cost_nano, 0))::text as cost,
           coalesce(sum(amount_nano) filter (where state = 'held'), 0)::text as held
    from call where key_id = ${key.id} group by day order by day`.execute(stage.db)
  return rows.map(({ cost, held, ...row }) => ({ ...row, cost: BigInt(cost), held: BigInt(held) }))
}

/** How many calls the limit covers at once. Where earlier ones end meanwhile, more are admitted. */
async function atOnce(): Promise<number> {
  const { rows } = await sql<{ most: string }>`
    select max(amount_nano)::text as most from call where key_id = ${key.id}`.execute(stage.db)
  return Number(LIMIT / BigInt(rows[0]?.most ?? LIMIT))
}

/** The number of the key's calls that were refused for lack of money. */
async function refused(): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::integer as calls from refusal where key_id = ${key.id}`.execute(stage.db)
  return rows[0]?.calls ?? 0
}

const budget = async () =>
  (await budgetsOf(stage.db, [subjectOf('owner', key.owner)], '0001-01-01')).get(`owner:${key.owner}`)
const [before, after] = [() => dayOf(midnight - 1), () => dayOf(midnight)]

describe('midnight UTC under load', () => {
  test('a call belongs to the day of its admission: the new day is whole, and bears no cost of the old one', async () => {
    const slow = calls(100, SLOW)
    await until('each of them is held or refused', async () => {
      const [{ calls: held } = { calls: 0 }] = await days()
      return held + (await refused()) === 100
    })
    const [old] = await days()
    stage.clock.set(midnight)
    const ofNewDay = await calls(100, 'small-ok')
    const ofOldDay = await slow
    const [first, second] = (await days()) as [Day, Day]

    expect([first.day, second.day]).toEqual([before(), after()])
    expect(first).toMatchObject({ calls: old?.calls, held: 0n })
    expect(ofOldDay).toEqual({ 200: first.calls, 402: 100 - first.calls })
    expect(ofNewDay).toEqual({ 200: second.calls, 402: 100 - second.calls })
    expect(second.calls).toBeGreaterThanOrEqual(await atOnce())
    for (const { cost } of [first, second]) expect(cost).toBeLessThanOrEqual(LIMIT)
    expect(await budget()).toMatchObject({ spent: second.cost, held: 0n })
    expect(await stage.faults()).toEqual([])
  })

  test('a clock that falls back before midnight makes nothing of the previous day available again', async () => {
    stage.clock.set(midnight)
    expect(await calls(5, 'small-ok')).toEqual({ 200: 5, 402: 0 })
    stage.clock.set(midnight - 1)
    await calls(100, SLOW)
    stage.clock.set(midnight)
    await calls(5, 'small-ok')
    const all = await days()

    expect(all.map(({ day }) => day)).toEqual([after()])
    expect(await budget()).toMatchObject({ spent: all[0]?.cost, held: 0n })
    expect(all[0]?.cost).toBeLessThanOrEqual(LIMIT)
    expect(await stage.faults()).toEqual([])
  })
})
