import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { findBalance } from '../src/store/balance.repository.ts'
import { budgetsOf, ensureBudget, setLimit, subjectOf } from '../src/store/budget.repository.ts'
import { expiredCalls, type Held, settle } from '../src/store/hold.repository.ts'
import type { NewKey } from '../src/store/key.repository.ts'
import { ledgerFaults } from '../src/store/ledger.repository.ts'
import { callById, spentTodayOfLinks, usageOf } from '../src/store/usage.repository.ts'
import { bought, costing, holdFor, inTx, later, NOON, routerStore, someOwner, storedKey } from './router-store.ts'

let router: Awaited<ReturnType<typeof routerStore>>
beforeAll(async () => {
  router = await routerStore(inject('postgresUrl'))
})
afterAll(() => router?.close())
afterEach(async () => expect(await ledgerFaults(router.db)).toEqual([]))

const TODAY = '2026-11-23'
const limited = (subject: string, limit: bigint | null) => inTx(router.db, (tx) => setLimit(tx, subject, limit))
const budgetOf = async (subject: string, day = TODAY) => (await budgetsOf(router.db, [subject], day)).get(subject)
const heldOf = (outcomes: readonly Held[]) => outcomes.filter(({ kind }) => kind === 'held').length
const atOnce = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))
const linkOf = () => randomUUID()

describe('a hold', () => {
  test('counts against the owner, the link and the key, and says what is left of each limit', async () => {
    const linkId = linkOf()
    const key = await storedKey(router.db, someOwner(), { linkId })
    await limited(subjectOf('link', linkId), 50n)
    const callId = randomUUID()
    expect(await holdFor(router.db, key, 30n, { callId })).toMatchObject({
      kind: 'held',
      key: { id: key.id, linkId },
      left: { owner: 970n, link: 20n },
    })
    const held = { spent: 0n, held: 30n }
    expect(await budgetOf(subjectOf('owner', key.owner))).toEqual({ limit: null, ...held })
    expect(await budgetOf(subjectOf('link', linkId))).toEqual({ limit: 50n, ...held })
    expect(await budgetOf(subjectOf('key', key.id))).toEqual({ limit: null, ...held })
    expect(await callById(router.db, key, callId)).toMatchObject({ state: 'held', amount: 30n, day: TODAY, cost: null })
    expect(await callById(router.db, { keyId: key.id }, callId)).toMatchObject({ id: callId })
    expect(await callById(router.db, { owner: someOwner() }, callId)).toBeUndefined()
  })

  test('is refused whole by each level, which it names with what is left and in flight', async () => {
    const linkId = linkOf()
    const key = await storedKey(router.db, someOwner(), { linkId })
    expect(await holdFor(router.db, key, 1n)).toMatchObject({ kind: 'refused', limit: 'link', left: 0n })
    await limited(subjectOf('link', linkId), 100n)
    await holdFor(router.db, key, 60n)
    const refused = async (amount: bigint, ownerLimit?: bigint) =>
      holdFor(router.db, key, amount, ownerLimit === undefined ? {} : { ownerLimit })
    expect(await refused(41n)).toMatchObject({ kind: 'refused', limit: 'link', left: 40n, inFlight: 60n })
    expect(await refused(11n, 70n)).toMatchObject({ kind: 'refused', limit: 'owner', left: 10n, inFlight: 60n })
    await limited(subjectOf('key', key.id), 50n)
    expect(await refused(1n)).toMatchObject({ kind: 'refused', limit: 'key', left: 0n, inFlight: 60n })
    expect(await budgetOf(subjectOf('owner', key.owner))).toMatchObject({ held: 60n })
    expect(await budgetOf(subjectOf('link', linkId))).toMatchObject({ held: 60n })
  })

  test('names a level that is spent for good before one that only waits', async () => {
    const key = await storedKey(router.db, someOwner())
    const other = await storedKey(router.db, key.owner)
    await limited(subjectOf('key', key.id), 5n)
    await holdFor(router.db, other, 997n)
    expect(await holdFor(router.db, key, 6n)).toMatchObject({ limit: 'key', left: 5n, inFlight: 0n })
  })

  test('on a balance is bounded by the balance and the key, not by the owner’s Compute', async () => {
    const key = await storedKey(router.db, someOwner(), { source: 'balance', linkId: linkOf() })
    const asked = { ownerLimit: 0n }
    expect(await holdFor(router.db, key, 1n, asked)).toMatchObject({ kind: 'refused', limit: 'balance', left: 0n })
    await bought(router.db, key.owner, 100n)
    await limited(subjectOf('key', key.id), 80n)
    expect(await holdFor(router.db, key, 70n, asked)).toMatchObject({ left: { balance: 30n, key: 10n } })
    expect(await holdFor(router.db, key, 31n, asked)).toMatchObject({ limit: 'key', left: 10n, inFlight: 70n })
    expect(await findBalance(router.db, key.owner)).toEqual({ purchased: 100n, spent: 0n, held: 70n })
    expect(await budgetOf(subjectOf('owner', key.owner))).toBeUndefined()
  })

  test('carries amounts beyond 2^53 exactly', async () => {
    const key = await storedKey(router.db, someOwner(), { source: 'balance' })
    const much = 2n ** 62n + 1n
    await bought(router.db, key.owner, much)
    const callId = randomUUID()
    expect(await holdFor(router.db, key, much - 1n, { callId })).toMatchObject({ left: { balance: 1n } })
    expect(await settle(router.db, callId, costing(much - 1n))).toBeDefined()
    expect(await findBalance(router.db, key.owner)).toEqual({ purchased: much, spent: much - 1n, held: 0n })
    expect((await usageOf(router.db, key.owner, NOON, 1)).rows).toMatchObject([{ cost: much - 1n }])
  })

  test('error: an amount below zero, or the id of another call, holds nothing', async () => {
    const key = await storedKey(router.db, someOwner())
    const callId = randomUUID()
    await expect(holdFor(router.db, key, -1n)).rejects.toThrow(RangeError)
    await holdFor(router.db, key, 1n, { callId })
    await expect(holdFor(router.db, key, 5n, { callId })).rejects.toMatchObject({ code: '23505' })
    expect(await budgetOf(subjectOf('key', key.id))).toMatchObject({ held: 1n })
  })

  test('joins the transaction of its caller, even with rows missing', async () => {
    const key = await storedKey(router.db, someOwner())
    const held = await inTx(router.db, (tx) => holdFor(tx, key, 7n))
    expect(held).toMatchObject({ kind: 'held', left: { owner: 993n } })
  })
})

describe('concurrent calls', () => {
  test('never exceed the owner’s limit, even with all rows missing at first', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = someOwner()
      const keys = await atOnce(8, () => storedKey(router.db, owner))
      const outcomes = await atOnce(64, (n) => holdFor(router.db, keys[n % 8] as NewKey, 100n))
      expect(heldOf(outcomes)).toBe(10)
      expect(await budgetOf(subjectOf('owner', owner))).toMatchObject({ held: 1_000n })
    }
  })

  test('never exceed a link’s limit, a key’s limit or a balance', async () => {
    const owner = someOwner()
    const linkId = linkOf()
    await limited(subjectOf('link', linkId), 300n)
    const linked = await atOnce(4, () => storedKey(router.db, owner, { linkId }))
    const bounded = await storedKey(router.db, owner)
    await limited(subjectOf('key', bounded.id), 200n)
    const paid = await atOnce(4, () => storedKey(router.db, owner, { source: 'balance' }))
    await bought(router.db, owner, 1_100n)
    const of = async (keys: readonly NewKey[]) =>
      heldOf(await atOnce(64, (n) => holdFor(router.db, keys[n % keys.length] as NewKey, 100n)))
    expect(await Promise.all([of(linked), of([bounded]), of(paid)])).toEqual([3, 2, 11])
  })

  test('of random amounts, settled at random costs, leave nothing held and no contradiction', async () => {
    const owner = someOwner()
    const linkId = linkOf()
    const ownerLimit = 20_000n
    await limited(subjectOf('link', linkId), 9_000n)
    await bought(router.db, owner, 8_000n)
    const keys = [
      await storedKey(router.db, owner),
      await storedKey(router.db, owner, { linkId }),
      await storedKey(router.db, owner, { linkId }),
      await storedKey(router.db, owner, { source: 'balance' }),
      await storedKey(router.db, owner, { source: 'balance', linkId }),
    ]
    await limited(subjectOf('key', (keys[0] as NewKey).id), 4_000n)
    const above: string[] = []
    const watch = async () => {
      const subjects = [subjectOf('owner', owner), subjectOf('link', linkId)]
      const [ofOwner, ofLink] = await budgetsOf(router.db, subjects, TODAY).then((all) =>
        subjects.map((s) => all.get(s)),
      )
      if (ofOwner && ofOwner.spent + ofOwner.held > ownerLimit) above.push('owner')
      if (ofLink && ofLink.spent + ofLink.held > 9_000n) above.push('link')
    }
    const costs = await atOnce(64, async () => {
      let total = 0n
      for (let call = 0; call < 6; call++) {
        const callId = randomUUID()
        const amount = randomInt(1, 900)
        const held = await holdFor(router.db, keys[randomInt(keys.length)] as NewKey, BigInt(amount), {
          callId,
          ownerLimit,
        })
        await watch()
        if (held.kind !== 'held') continue
        const cost = BigInt(randomInt(0, amount + 1))
        const [once, again] = await Promise.all([
          settle(router.db, callId, costing(cost)),
          settle(router.db, callId, costing(cost)),
        ])
        expect([once, again].filter(Boolean)).toHaveLength(1)
        total += cost
      }
      return total
    })
    expect(above).toEqual([])
    const total = costs.reduce((sum, one) => sum + one, 0n)
    const { rows, days } = await usageOf(router.db, owner, NOON, 100)
    for (const counted of [rows, days]) expect(counted.reduce((sum, { cost }) => sum + cost, 0n)).toBe(total)
    const balance = await findBalance(router.db, owner)
    const ofOwner = await budgetOf(subjectOf('owner', owner))
    expect(balance).toMatchObject({ purchased: 8_000n, held: 0n })
    expect(ofOwner).toMatchObject({ held: 0n })
    expect((balance?.spent ?? 0n) + (ofOwner?.spent ?? 0n)).toBe(total)
    for (const { id } of keys) expect(await budgetOf(subjectOf('key', id))).toMatchObject({ held: 0n })
  })
})

describe('a settlement', () => {
  test('releases the hold, adds the cost and records the call; a repeat settles nothing twice', async () => {
    const linkId = linkOf()
    const key = await storedKey(router.db, someOwner(), { linkId })
    await limited(subjectOf('link', linkId), 500n)
    const callId = randomUUID()
    await holdFor(router.db, key, 100n, { callId })
    const tokens = { inputTokens: 12, outputTokens: 7, cacheReadTokens: 3, cacheWriteTokens: 0, reasoningTokens: 2 }
    const settlement = { ...costing(40n, later(1_000)), usage: tokens, upstream: 'first' }
    expect(await settle(router.db, callId, settlement)).toBeDefined()
    expect(await settle(router.db, callId, { ...settlement, cost: 90n })).toBeUndefined()
    expect(await settle(router.db, callId, { ...settlement, cost: 900n })).toBeUndefined()
    for (const subject of [subjectOf('owner', key.owner), subjectOf('link', linkId), subjectOf('key', key.id)])
      expect(await budgetOf(subject)).toMatchObject({ spent: 40n, held: 0n })
    expect(await callById(router.db, key, callId)).toMatchObject({
      ...{ state: 'settled', cost: 40n, usage: tokens, estimated: false, ending: 'stop', upstream: 'first' },
      settledAt: later(1_000),
    })
    const spent = { spent: 40n, held: 0n }
    expect(await spentTodayOfLinks(router.db, [linkId, 'none'], TODAY)).toEqual(new Map([[linkId, spent]]))
    expect(await settle(router.db, randomUUID(), settlement)).toBeUndefined()
  })

  test('settles every level even after waiting for another one', async () => {
    const linkId = linkOf()
    const key = await storedKey(router.db, someOwner(), { linkId })
    await limited(subjectOf('link', linkId), 500n)
    const [first, second] = [randomUUID(), randomUUID()]
    for (const callId of [first, second]) await holdFor(router.db, key, 100n, { callId })
    const { waiting } = await inTx(router.db, async (tx) => {
      await settle(tx, first, costing(10n))
      const settling = settle(router.db, second, costing(20n))
      await router.untilOneWaits()
      return { waiting: settling }
    })
    expect(await waiting).toBeDefined()
    for (const subject of [subjectOf('owner', key.owner), subjectOf('link', linkId), subjectOf('key', key.id)])
      expect(await budgetOf(subject)).toMatchObject({ spent: 30n, held: 0n })
  })

  test('error: a cost above the hold or below zero leaves the call held', async () => {
    const key = await storedKey(router.db, someOwner())
    const callId = randomUUID()
    await holdFor(router.db, key, 100n, { callId })
    await expect(settle(router.db, callId, costing(101n))).rejects.toThrow(RangeError)
    await expect(settle(router.db, callId, costing(-1n))).rejects.toThrow(RangeError)
    expect(await budgetOf(subjectOf('key', key.id))).toMatchObject({ spent: 0n, held: 100n })
    expect(await callById(router.db, key, callId)).toMatchObject({ state: 'held' })
  })

  test('of yesterday’s call leaves today’s budget alone; the balance knows no day', async () => {
    const owner = someOwner()
    const [compute, balance] = [
      await storedKey(router.db, owner),
      await storedKey(router.db, owner, { source: 'balance' }),
    ]
    await bought(router.db, owner, 100n)
    const [free, paid, today] = [randomUUID(), randomUUID(), randomUUID()]
    const yesterday = new Date('2026-11-22T23:59:59Z')
    await holdFor(router.db, compute, 1_000n, { callId: free, now: yesterday })
    await holdFor(router.db, balance, 60n, { callId: paid, now: yesterday })
    expect(await budgetOf(subjectOf('owner', owner))).toEqual({ limit: null, spent: 0n, held: 0n })
    expect(await holdFor(router.db, compute, 1_000n, { callId: today })).toMatchObject({ kind: 'held' })
    await settle(router.db, free, costing(900n))
    await settle(router.db, paid, costing(50n))
    expect(await budgetOf(subjectOf('owner', owner))).toMatchObject({ spent: 0n, held: 1_000n })
    expect(await findBalance(router.db, owner)).toEqual({ purchased: 100n, spent: 50n, held: 0n })
    await settle(router.db, today, costing(1n))
    expect(await budgetOf(subjectOf('owner', owner))).toMatchObject({ spent: 1n, held: 0n })
    const { rows } = await usageOf(router.db, owner, yesterday, 100)
    expect(rows.map(({ day, cost }) => [day, cost]).toSorted()).toEqual([
      ['2026-11-22', 50n],
      ['2026-11-22', 900n],
      ['2026-11-23', 1n],
    ])
  })
})

test('a clock that is behind does not bring back a day that is over', async () => {
  const key = await storedKey(router.db, someOwner())
  const [before, after] = [new Date('2026-11-22T23:59:59.999Z'), new Date('2026-11-23T00:00:00.001Z')]
  const [ahead, behind] = [randomUUID(), randomUUID()]
  await holdFor(router.db, key, 900n, { callId: ahead, now: after })
  expect(await holdFor(router.db, key, 101n, { now: before })).toMatchObject({ kind: 'refused', left: 100n })
  expect(await holdFor(router.db, key, 100n, { callId: behind, now: before })).toMatchObject({ kind: 'held' })
  await settle(router.db, ahead, costing(900n))
  await settle(router.db, behind, costing(10n))
  expect(await budgetOf(subjectOf('owner', key.owner))).toMatchObject({ spent: 910n, held: 0n })
})

test('ensureBudget does not change an existing budget', async () => {
  const subject = subjectOf('key', randomUUID())
  const ensure = (limit: bigint | null) => inTx(router.db, (tx) => ensureBudget(tx, subject, limit))
  await ensure(5n)
  await ensure(3n)
  await ensure(null)
  expect(await budgetOf(subject)).toEqual({ limit: 5n, spent: 0n, held: 0n })
  await limited(subject, null)
  expect(await budgetOf(subject)).toEqual({ limit: null, spent: 0n, held: 0n })
})

test('a call that may be shorter holds what the tightest level has left, and no less than its minimum', async () => {
  const linkId = linkOf()
  const key = await storedKey(router.db, someOwner(), { linkId })
  await limited(subjectOf('link', linkId), 500n)
  await holdFor(router.db, key, 100n)
  expect(await holdFor(router.db, key, 900n, { least: 401n })).toMatchObject({
    kind: 'refused',
    limit: 'link',
    left: 400n,
  })
  expect(await holdFor(router.db, key, 900n, { least: 1n, ownerLimit: 300n })).toMatchObject({
    ...{ kind: 'held', amount: 200n },
    left: { owner: 0n, link: 200n },
  })
  expect(await holdFor(router.db, key, 150n, { least: 1n })).toMatchObject({ kind: 'held', amount: 150n })
  expect(await budgetOf(subjectOf('link', linkId))).toMatchObject({ held: 450n })
})

test('a key never has more concurrent calls than it may have, and each ends with its settlement', async () => {
  const key = await storedKey(router.db, someOwner())
  const ids = Array.from({ length: 40 }, () => randomUUID())
  const outcomes = await atOnce(40, (n) => holdFor(router.db, key, 1n, { callId: ids[n] as string, concurrency: 10 }))
  expect(heldOf(outcomes)).toBe(10)
  expect(outcomes.filter(({ kind }) => kind === 'busy')).toHaveLength(30)
  const held = ids.filter((_, n) => outcomes[n]?.kind === 'held')
  await Promise.all(held.slice(0, 4).map((id) => settle(router.db, id, costing(1n))))
  await settle(router.db, held[0] as string, costing(1n))
  const again = await atOnce(10, () => holdFor(router.db, key, 1n, { concurrency: 10 }))
  expect(heldOf(again)).toBe(4)
})

test('calls held beyond their time are found, the longest-held first, until they are settled', async () => {
  const key = await storedKey(router.db, someOwner())
  const early = new Date('2020-01-01T00:00:00Z')
  const [first, second] = [randomUUID(), randomUUID()]
  await holdFor(router.db, key, 1n, { callId: second, now: later(1, early) })
  await holdFor(router.db, key, 1n, { callId: first, now: early })
  const expired = (ms: number, limit = 10) => expiredCalls(router.db, later(ms, early), limit)
  expect(await expired(599_999)).toEqual([])
  expect(await expired(600_001)).toEqual([first, second])
  expect(await expired(600_001, 1)).toEqual([first])
  await settle(router.db, first, { ...costing(1n, early), estimated: true })
  expect(await expired(600_001)).toEqual([second])
  expect((await usageOf(router.db, key.owner, early, 1)).rows).toMatchObject([
    { calls: 1, cost: 1n, estimatedCost: 1n },
  ])
})
