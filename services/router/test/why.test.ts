import { randomUUID } from 'node:crypto'
import { router as operations } from '@callboard/contract'
import { type Database, openDatabase } from '@callboard/store'
import { startTestServices, type TestServices, testDatabase } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { noteRefusal } from '../src/calls/note-refusal.ts'
import { router } from '../src/index.ts'
import { setLimit, subjectOf } from '../src/store/budget.repository.ts'
import { settle } from '../src/store/hold.repository.ts'
import type { NewKey } from '../src/store/key.repository.ts'
import { recordRefusal, refusalsAbout } from '../src/store/refusal.repository.ts'
import type { RouterTables } from '../src/store/tables.ts'
import { bought, costing, holdFor, inTx, later, NOON, someOwner, storedKey } from './router-store.ts'

const USD = 1_000_000_000n

let database: Awaited<ReturnType<typeof testDatabase>>
let services: TestServices
let store: Database<RouterTables>
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  services = await startTestServices([router], { databaseUrl: database.url, env: { COMPUTE_DAILY_USD: '2' } })
  store = openDatabase({ url: database.url, schema: 'router', maxConnections: 4, onError: () => {} })
})
afterAll(async () => {
  await services.stop()
  await store.close()
  await database.drop()
})

const at = (ms: number) => later(ms).toISOString()

async function whyOf(key: NewKey | string, ms: number, amountUsd?: string) {
  const asked = { key: typeof key === 'string' ? key : key.id, at: at(ms), ...(amountUsd ? { amountUsd } : {}) }
  const answer = await services.call(operations.why, asked)
  if (isRefusal(answer)) expect.fail(answer.refusal)
  return answer
}

/** Holds a number of seconds after noon, and settles at another. */
async function call(key: NewKey, from: number, to: number | undefined, [amount, cost]: readonly [bigint, bigint]) {
  const callId = randomUUID()
  const held = await holdFor(store.db, key, amount, { callId, ownerLimit: 2n * USD, now: later(from) })
  expect(held).toMatchObject({ kind: 'held' })
  if (to !== undefined) await settle(store.db, callId, costing(cost, later(to)))
  return callId
}

test('a moment is replayed: what was spent, held and left at each level, and by which calls', async () => {
  const linkId = randomUUID()
  const key = await storedKey(store.db, someOwner(), { linkId, prefix: `cb_${linkId}` })
  const sibling = await storedKey(store.db, key.owner)
  await inTx(store.db, (tx) => setLimit(tx, subjectOf('link', linkId), USD))
  await store.db
    .updateTable('budget_limit')
    .set({ since: later(-1) })
    .where('subject', '=', `link:${linkId}`)
    .execute()
  await call(key, 1_000, 3_000, [USD / 2n, USD / 4n])
  const open = await call(sibling, 2_000, undefined, [USD, 0n])
  await call(key, 5_000, 6_000, [USD / 10n, USD / 10n])

  const { levels, ...during } = await whyOf(key, 2_500, '0.6')
  expect(levels).toEqual([
    { level: 'owner', limitUsd: '2', limitFrom: 'now', spentUsd: '0', heldUsd: '1.5', leftUsd: '0.5' },
    { level: 'agent', limitUsd: '1', limitFrom: 'recorded', spentUsd: '0', heldUsd: '0.5', leftUsd: '0.5' },
    expect.objectContaining({ level: 'key', limitUsd: null, heldUsd: '0.5', leftUsd: null }),
  ])
  expect(during).toMatchObject({ largestUsd: '0.5', refusedBy: 'agent', underWay: 1, admittedInMinute: 1 })
  expect(during.holding.map(({ keyId, heldUsd }) => [keyId, heldUsd])).toEqual([
    [sibling.id, '1'],
    [key.id, '0.5'],
  ])
  const after = await whyOf(key.prefix, 6_000)
  expect(after).toMatchObject({ largestUsd: '0.65', refusedBy: null, underWay: 0, admittedInMinute: 2 })
  expect(after.holding).toMatchObject([{ callId: open }])
  expect(await whyOf(key, 6_000, '0.65')).toMatchObject({ refusedBy: null })
  expect((await whyOf(key, 0)).largestUsd).toBe('1')
})

test('for a balance, the ledger says what had been bought by then', async () => {
  const key = await storedKey(store.db, someOwner(), { source: 'balance' })
  await bought(store.db, key.owner, 3n * USD)
  await call(key, 1_000, 2_000, [2n * USD, USD])
  const balance = async (ms: number) => (await whyOf(key, ms)).levels.find(({ level }) => level === 'balance')
  expect(await balance(-1)).toMatchObject({ limitUsd: '0', leftUsd: '0' })
  expect(await balance(1_500)).toMatchObject({ limitUsd: '3', spentUsd: '0', heldUsd: '2', leftUsd: '1' })
  expect(await balance(2_000)).toMatchObject({ limitUsd: '3', spentUsd: '1', heldUsd: '0', leftUsd: '2' })
  expect(await whyOf(key, 1_500, '1.5')).toMatchObject({ refusedBy: 'balance' })
})

test('for a Compute key, the answer also has what its own calls paid in, apart from its levels', async () => {
  const key = await storedKey(store.db, someOwner())
  expect(await whyOf(key, 1_000)).toMatchObject({ paidIn: null })
  await store.db
    .insertInto('top_up')
    .values({
      ...{ payment_key: key.id, fingerprint: key.id, owner: key.owner, amount_nano: 5n * USD, network: 'eip155:8453' },
      ...{ state: 'credited', created_at: NOON, credited_at: later(2_000), transaction: '0x', key_id: key.id },
    })
    .execute()
  expect(await whyOf(key, 1_000)).toMatchObject({ paidIn: null })
  expect(await whyOf(key, 2_000)).toMatchObject({
    paidIn: { limitUsd: '5', spentUsd: '0', heldUsd: '0', leftUsd: '5' },
    levels: [{ level: 'owner', leftUsd: '2' }, { level: 'key' }],
  })
})

test('a limit that changed since has its value of then; one from before the record is marked as current', async () => {
  const linkId = randomUUID()
  const key = await storedKey(store.db, someOwner(), { linkId })
  const subject = subjectOf('link', linkId)
  const agent = async (ms: number) => (await whyOf(key, ms)).levels.find(({ level }) => level === 'agent')
  for (const [limit, ms] of [
    [USD, 10_000],
    [2n * USD, 20_000],
  ] as const) {
    await inTx(store.db, (tx) => setLimit(tx, subject, limit))
    await store.db
      .updateTable('budget_limit')
      .set({ since: later(ms) })
      .where('subject', '=', subject)
      .where('since', '>', new Date(Date.now() - 60_000))
      .execute()
  }
  expect(await agent(15_000)).toMatchObject({ limitUsd: '1', limitFrom: 'recorded' })
  expect(await agent(25_000)).toMatchObject({ limitUsd: '2', limitFrom: 'recorded' })
  expect(await agent(5_000)).toMatchObject({ limitUsd: '2', limitFrom: 'now' })
})

test('holds and settlements do not change the record of limits', async () => {
  const key = await storedKey(store.db, someOwner())
  for (let n = 0; n < 3; n++) await call(key, n, n + 1, [5n, 5n])
  const noted = store.db
    .selectFrom('budget_limit')
    .select('subject')
    .where('subject', 'in', [`owner:${key.owner}`, `key:${key.id}`])
  expect(await noted.execute()).toHaveLength(2)
})

test('a refusal is found by its time, with what was asked and left; far from that time there is none', async () => {
  const key = await storedKey(store.db, someOwner())
  const refused = {
    keyId: key.id,
    model: 'small',
    surface: 'chat',
    limit: 'owner',
    asked: USD,
    left: 1n,
    inFlight: 2n,
  } as const
  noteRefusal({ db: store.db, log: console as never }, { ...refused, at: later(4_000) })
  await expect
    .poll(async () => (await whyOf(key, 1_000)).refusals)
    .toEqual([
      {
        ...{ at: at(4_000), model: 'small', surface: 'chat', limit: 'owner', askedUsd: '1' },
        ...{ leftUsd: '0.000000001', inFlightUsd: '0.000000002' },
      },
    ])
  expect((await whyOf(key, 10_000)).refusals).toEqual([])
})

test('only the latest refusals of a key are kept, however many there are', async () => {
  const [key, other] = [await storedKey(store.db, someOwner()), await storedKey(store.db, someOwner())]
  const refused = { model: 'small', surface: 'chat', limit: 'owner', asked: 9n, left: 1n, inFlight: 0n } as const
  await recordRefusal(store.db, { ...refused, keyId: other.id, at: NOON })
  for (let n = 0; n < 230; n++) await recordRefusal(store.db, { ...refused, keyId: key.id, at: later(n) })
  const kept = await refusalsAbout(store.db, key.id, later(229), 10_000)
  expect(kept).toHaveLength(200)
  expect(kept[0]?.at).toEqual(later(229))
  expect(await refusalsAbout(store.db, other.id, NOON, 1)).toHaveLength(1)
})

test('not_found: a key that does not exist', async () => {
  expect(await services.call(operations.why, { key: 'none', at: at(0) })).toMatchObject({ refusal: 'not_found' })
})
