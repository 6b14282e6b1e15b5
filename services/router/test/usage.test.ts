import { type Caller, type InputOf, router as operations } from '@callboard/contract'
import { granted, wallet } from '@callboard/testkit'
import { isoTime, MINUTE_MS } from '@callboard/values'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { router } from '../src/index.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(inject('postgresUrl'), { models: [], modules: [router] })
})
afterAll(() => stage.close())

const NOTHING: InputOf<typeof operations.usage> = {}
const MANY = 6_000

test('usage that no answer holds is told from its latest day on, with how much more there is, and its totals are whole', async () => {
  const owner = wallet(30).address
  const now = stage.clock.now()
  const at = new Date(now - MINUTE_MS)
  await sql`
    insert into call (call_id, key_id, owner, source, day, amount_nano, model, price_version, surface, created_at,
      expires_at, state, cost_nano, input_tokens, output_tokens, estimated, ending, settled_at)
    select ${owner} || n, rpad('key-' || n, 64, 'x'), ${owner}, 'balance', ${isoTime(now).slice(0, 10)}::date, 1000000,
      'a-model', '1', 'chat', ${at}, ${at}, 'settled', 1000000, 7, 3, false, 'completed', ${at}
    from generate_series(1, ${MANY}::int) n`.execute(stage.db)
  const caller: Caller = { kind: 'session', owner, sessionId: 'one', expiresAt: isoTime(now + MINUTE_MS) }
  const { usage, more, totals } = granted(await stage.services.call(operations.usage, NOTHING, { caller }))
  expect(usage.length + (more ?? 0)).toBe(MANY)
  expect(more).toBeGreaterThan(0)
  expect(totals.balance).toMatchObject({ calls: MANY, inputTokens: 7 * MANY, costUsd: '6' })
})
