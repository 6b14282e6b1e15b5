import { createHash, randomUUID } from 'node:crypto'
import { runOnce } from '@callboard/testkit'
import { assert, asyncProperty, bigInt, constantFrom, date, nat, option, record, string } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expireHolds } from '../src/jobs/expire-holds.ts'
import { settle } from '../src/store/hold.repository.ts'
import type { NewKey } from '../src/store/key.repository.ts'
import { ledgerFaults } from '../src/store/ledger.repository.ts'
import { receiptOfCall, receiptsAfter } from '../src/store/receipt.repository.ts'
import { settleAll } from '../src/store/settle.repository.ts'
import { bought, costing, holdFor, later, NOON, routerStore, someOwner, storedKey } from './router-store.ts'

let router: Awaited<ReturnType<typeof routerStore>>
beforeAll(async () => {
  router = await routerStore(inject('postgresUrl'))
})
afterAll(() => router?.close())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const receiptsOf = (key: NewKey) => receiptsAfter(router.db, { keyId: key.id }, { after: 0, limit: 1_000 })
const contentsOf = async (key: NewKey) => (await receiptsOf(key)).map(({ text }) => JSON.parse(text))

/** What is wrong with a key's chain, place by place. */
async function gapsOf(key: NewKey): Promise<string[]> {
  const receipts = await receiptsOf(key)
  return receipts.flatMap(({ text }, at) => {
    const { seq, previous } = JSON.parse(text)
    const before = receipts[at - 1]
    return seq === at + 1 && previous === (before ? sha256(before.text) : null) ? [] : [`${at}: ${text}`]
  })
}

async function heldCall(key: NewKey, amount = 10n): Promise<string> {
  const callId = randomUUID()
  expect(await holdFor(router.db, key, amount, { callId, ownerLimit: 1_000_000_000n })).toMatchObject({ kind: 'held' })
  return callId
}

test('a settled call has a receipt, which states its cost and names the previous one', async () => {
  const key = await storedKey(router.db, someOwner())
  const [first, second] = [await heldCall(key), await heldCall(key, 2_500_000n)]
  const usage = { inputTokens: 7, outputTokens: 3, cacheReadTokens: 2, cacheWriteTokens: 1, reasoningTokens: 0 }
  const one = await settle(router.db, first, { ...costing(0n, later(5)), ending: 'lost' })
  const two = await settle(router.db, second, { ...costing(1_250_000n, later(9)), usage, upstream: 'provider "é"' })
  expect(await contentsOf(key)).toEqual([
    expect.objectContaining({ id: first, seq: 1, previous: null, usage: null, upstream: null, amountUsd: '0' }),
    {
      ...{ id: second, key: key.id, model: 'small', upstream: 'provider "é"', surface: 'chat.completions' },
      ...{ source: 'compute', usage, estimated: false, ending: 'stop', priceVersion: '1' },
      ...{ heldUsd: '0.0025', amountUsd: '0.00125', currency: 'USD' },
      ...{ createdAt: NOON.toISOString(), settledAt: later(9).toISOString(), seq: 2, previous: one?.hash },
    },
  ])
  expect(await receiptOfCall(router.db, { keyId: key.id }, second)).toEqual(two)
  expect(two?.hash).toBe(sha256(two?.text ?? ''))
  expect(await settle(router.db, second, costing(1n))).toBeUndefined()
  expect(await receiptsAfter(router.db, { keyId: key.id }, { after: 1, limit: 9 })).toEqual([two])
})

test('calls that are settled together continue the chains of their keys, whether or not there is one', async () => {
  const [known, fresh] = [await storedKey(router.db, someOwner()), await storedKey(router.db, someOwner())]
  const first = await heldCall(known)
  await settle(router.db, first, costing(3n))
  const ids: string[] = []
  for (let n = 0; n < 8; n += 1) ids.push(await heldCall(n % 2 ? known : fresh))
  // Of two endings of one call, the first that its hold affords counts; a call that has ended stays as it is.
  const [tooDear, twice] = ids as [string, string]
  const dues = [tooDear, ...ids, twice, first].map((callId, n) => ({ callId, ...costing(n === 0 ? 11n : BigInt(n)) }))
  const settled = await settleAll(router.db, dues)
  expect(settled[0]).toBeInstanceOf(RangeError)
  expect(settled.slice(-2)).toEqual([undefined, undefined])
  expect([await gapsOf(known), await gapsOf(fresh)]).toEqual([[], []])
  expect([(await receiptsOf(known)).length, (await receiptsOf(fresh)).length]).toEqual([5, 4])
  for (const [n, callId] of ids.entries()) {
    const key = n % 2 ? known : fresh
    expect(await receiptOfCall(router.db, { keyId: key.id }, callId)).toEqual(settled[n + 1])
  }
  await settle(router.db, await heldCall(fresh), costing(1n))
  expect(await gapsOf(fresh)).toEqual([])
  expect(await ledgerFaults(router.db)).toEqual([])
})

test('the database writes the same bytes as we do, whatever they contain', async () => {
  const words = string({ unit: 'binary', minLength: 1, maxLength: 40 }).filter((text) => !text.includes('\0'))
  const tokens = nat(2 ** 31 - 1)
  const usage = record({
    ...{ inputTokens: tokens, outputTokens: tokens, cacheReadTokens: tokens },
    ...{ cacheWriteTokens: tokens, reasoningTokens: tokens },
  })
  const time = date({ min: new Date('2001-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  const call = record({
    ...{ model: words, priceVersion: words, surface: words, ending: words, usage: option(usage, { nil: undefined }) },
    ...{ upstream: option(words, { nil: undefined }), estimated: constantFrom(true, false) },
    ...{ amount: bigInt(0n, 2n ** 62n), share: nat(1_000), createdAt: time, settledAt: time },
  })
  const key = await storedKey(router.db, someOwner())
  await assert(
    asyncProperty(call, async ({ amount, share, createdAt, settledAt, model, priceVersion, surface, ...ending }) => {
      const callId = randomUUID()
      await router.db
        .insertInto('call')
        .values({
          ...{ call_id: callId, key_id: key.id, owner: key.owner, link_id: null, source: 'compute', day: '2026-11-23' },
          ...{ amount_nano: amount, model, price_version: priceVersion, surface, upstream: null, state: 'held' },
          ...{ created_at: createdAt, expires_at: createdAt },
        } as never)
        .execute()
      const cost = (amount * BigInt(share)) / 1_000n
      const settled = await settle(router.db, callId, { ...ending, cost, now: settledAt })
      // Reading it writes it again and compares.
      expect(await receiptOfCall(router.db, { keyId: key.id }, callId)).toEqual(settled)
    }),
    { numRuns: 150 },
  )
  expect(await gapsOf(key)).toEqual([])
})

test.each(['compute', 'balance'] as const)(
  '32 concurrent settlements of one key, including its first, leave no gap and take no place twice (%s)',
  async (source) => {
    const key = await storedKey(router.db, someOwner(), { source })
    await bought(router.db, key.owner, 1_000n)
    for (let round = 0; round < 3; round++) {
      const calls = await Promise.all(Array.from({ length: 32 }, () => heldCall(key)))
      const receipts = await Promise.all(calls.map((id) => settle(router.db, id, costing(3n))))
      expect(new Set(receipts.map((receipt) => receipt?.hash)).size).toBe(32)
    }
    expect(await gapsOf(key)).toEqual([])
    expect(await receiptsOf(key)).toHaveLength(96)
    expect(await ledgerFaults(router.db)).toEqual([])
  },
)

test('calls of two keys of one owner are held and settled concurrently without a deadlock', async () => {
  const owner = someOwner()
  const keys = [await storedKey(router.db, owner), await storedKey(router.db, owner)]
  const held = await Promise.all(keys.flatMap((key) => Array.from({ length: 16 }, () => heldCall(key))))
  await Promise.all([
    ...held.map((id) => settle(router.db, id, costing(1n))),
    ...keys.flatMap((key) => Array.from({ length: 16 }, () => heldCall(key))),
  ])
  for (const key of keys) {
    expect(await gapsOf(key)).toEqual([])
    expect(await receiptsOf(key)).toHaveLength(16)
  }
})

test('a settlement that is rolled back leaves no gap', async () => {
  const key = await storedKey(router.db, someOwner())
  const [first, second] = [await heldCall(key), await heldCall(key)]
  const undone = router.db.transaction().execute(async (tx) => {
    await settle(tx, first, costing(1n))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await settle(router.db, second, costing(1n))
  await settle(router.db, first, costing(1n))
  expect(await gapsOf(key)).toEqual([])
  expect((await contentsOf(key)).map(({ id }) => id)).toEqual([second, first])
})

test('a call whose process died has a receipt too, for nothing', async () => {
  const key = await storedKey(router.db, someOwner())
  const callId = await heldCall(key)
  const clock = { now: () => later(3_600_000).getTime() }
  await runOnce(expireHolds, { db: router.db, clock } as never)
  expect(await receiptOfCall(router.db, { keyId: key.id }, callId)).toMatchObject({
    text: expect.stringContaining('"ending":"lost"'),
  })
})

test('no receipt is returned for another key, for a call under way, or for a call altered after settlement', async () => {
  const [key, other] = [await storedKey(router.db, someOwner()), await storedKey(router.db, someOwner())]
  const callId = await heldCall(key)
  const read = (keyId: string) => receiptOfCall(router.db, { keyId }, callId)
  expect(await read(key.id)).toBe('held')
  await settle(router.db, callId, costing(4n))
  expect(await read(other.id)).toBeUndefined()
  const page = { after: 0, limit: 9 }
  expect(await receiptsAfter(router.db, { keyId: key.id, owner: other.owner }, page)).toEqual([])
  expect(await receiptsAfter(router.db, { keyId: key.id, owner: key.owner }, page)).toHaveLength(1)
  await sql`update router.call set cost_nano = 3 where call_id = ${callId}`.execute(router.db)
  await expect(read(key.id)).rejects.toThrow('was changed after it was settled')
})

test('when two Routers with different clocks use a key, the chain follows the order of settlement', async () => {
  const key = await storedKey(router.db, someOwner())
  const [first, second] = [await heldCall(key), await heldCall(key)]
  await settle(router.db, first, costing(1n, later(50)))
  await settle(router.db, second, costing(1n, later(20)))
  expect((await contentsOf(key)).map(({ id }) => id)).toEqual([first, second])
  expect(await gapsOf(key)).toEqual([])
})
