import { type Caller, type InputOf, router as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { DAY_MS, isoTime, MINUTE_MS } from '@callboard/values'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { router } from '../src/index.ts'
import { usageOf } from '../src/store/usage.repository.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(inject('postgresUrl'), { models: [], modules: [router] })
})
afterAll(() => stage.close())

const NOTHING: InputOf<typeof operations.usage> = {}
const MANY = 6_000
const INTO_CALL = sql`
  insert into call (call_id, key_id, owner, source, day, amount_nano, model, price_version, surface, created_at,
    expires_at, state, cost_nano, input_tokens, output_tokens, estimated, ending, settled_at)`

test('usage too long for one answer starts with its latest day, says how much more there is, and totals all', async () => {
  const owner = wallet(30).address
  const now = stage.clock.now()
  const at = new Date(now - MINUTE_MS)
  await sql`
    ${INTO_CALL}
    select ${owner} || n, rpad('key-' || n, 64, 'x'), ${owner}, 'balance', ${isoTime(now).slice(0, 10)}::date, 1000000,
      'a-model', '1', 'chat', ${at}, ${at}, 'settled', 1000000, 7, 3, false, 'completed', ${at}
    from generate_series(1, ${MANY}::int) n`.execute(stage.db)
  const caller: Caller = { kind: 'session', owner, sessionId: 'one', expiresAt: isoTime(now + MINUTE_MS) }
  const { usage, more, totals } = granted(await stage.services.call(operations.usage, NOTHING, { caller }))
  expect(usage.length + (more ?? 0)).toBe(MANY)
  expect(more).toBeGreaterThan(0)
  expect(totals.balance).toMatchObject({ calls: MANY, inputTokens: 7 * MANY, costUsd: '6' })
})

test('when there is more usage than is read, the newest is returned, and sums and counts cover all of it', async () => {
  const owner = wallet(31).address
  const now = stage.clock.now()
  const at = new Date(now - DAY_MS)
  await sql`
    ${INTO_CALL}
    select ${owner} || n, rpad('key-' || n, 64, 'y'), ${owner}, case n % 2 when 0 then 'balance' else 'compute' end,
      ${isoTime(now).slice(0, 10)}::date - n % 2, 1000, 'a-model', '1', 'chat', ${at}, ${at}, 'settled', 1000, 7, 3, n > 6,
      'completed', ${at}
    from generate_series(1, 10) n`.execute(stage.db)
  const { days, rows, count } = await usageOf(stage.db, owner, at, 6)
  const today = isoTime(now).slice(0, 10)
  expect(count).toBe(10)
  expect(rows.map(({ day, source }) => `${day} ${source}`)).toEqual([
    ...Array.from({ length: 5 }, () => `${today} balance`),
    `${isoTime(now - DAY_MS).slice(0, 10)} compute`,
  ])
  expect(days).toMatchObject([
    { day: today, source: 'balance', calls: 5, cost: 5_000n, estimatedCost: 2_000n, inputTokens: 35, outputTokens: 15 },
    { source: 'compute', calls: 5, cost: 5_000n, estimatedCost: 2_000n },
  ])
  expect(await usageOf(stage.db, wallet(32).address, at, 6)).toEqual({ days: [], rows: [], count: 0 })
})
