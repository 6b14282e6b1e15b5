import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { findBalance } from '../src/store/balance.repository.ts'
import { budgetsOf, setLimit, subjectOf } from '../src/store/budget.repository.ts'
import { CallBatcher } from '../src/store/call-batcher.ts'
import { type Held, hold, holdAll } from '../src/store/hold.repository.ts'
import type { NewKey } from '../src/store/key.repository.ts'
import { ledgerFaults } from '../src/store/ledger.repository.ts'
import { type Due, settle, settleAll } from '../src/store/settle.repository.ts'
import { askedFor, bought, costing, inTx, later, NOON, routerStore, someOwner, storedKey } from './router-store.ts'

let router: Awaited<ReturnType<typeof routerStore>>
let batcher: CallBatcher
beforeAll(async () => {
  router = await routerStore(inject('postgresUrl'))
  batcher = new CallBatcher(router.db)
})
afterAll(() => router?.close())
afterEach(async () => expect(await ledgerFaults(router.db)).toEqual([]))

const atOnce = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))
const kindsOf = (outcomes: readonly Held[]) => outcomes.map(({ kind }) => kind)
const balanceKey = async (amount: bigint): Promise<NewKey> => {
  const owner = someOwner()
  await bought(router.db, owner, amount)
  return storedKey(router.db, owner, { source: 'balance' })
}
/** Locks a key's row in another transaction. @returns what ends that transaction */
async function lockedElsewhere(id: string): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const elsewhere = router.db.transaction().execute(async (tx) => {
    await tx.selectFrom('router_key').select('id').where('id', '=', id).forUpdate().execute()
    isLocked.resolve()
    await release.promise
  })
  await isLocked.promise
  return () => {
    release.resolve()
    return elsewhere
  }
}
/** The number of transactions that last wrote a key's calls. */
async function transactionsOf({ id }: NewKey): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct xmin::text)::int as n from call where key_id = ${id}`.execute(router.db)
  return rows[0]?.n ?? 0
}

describe('concurrent calls', () => {
  test('share a transaction, and together hold no more than is available', async () => {
    const key = await balanceKey(100n)
    const outcomes = await atOnce(16, () => batcher.hold(askedFor(key, 10n)))
    expect(kindsOf(outcomes).filter((kind) => kind === 'held')).toHaveLength(10)
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(6)
    expect(await findBalance(router.db, key.owner)).toMatchObject({ spent: 0n, held: 100n })
    expect(await transactionsOf(key)).toBe(1)
  })

  test('are each settled once in a shared transaction, with consecutive receipts', async () => {
    const key = await balanceKey(1_000n)
    const callIds = Array.from({ length: 12 }, () => randomUUID())
    await Promise.all(callIds.map((callId) => batcher.hold(askedFor(key, 20n, { callId }))))
    const twice = [...callIds, ...callIds]
    const receipts = await Promise.all(twice.map((callId) => batcher.settle(callId, costing(7n))))
    const texts = receipts.flatMap((receipt) => receipt?.text ?? [])
    expect(texts.map((text) => JSON.parse(text).seq).toSorted((a, b) => a - b)).toEqual(callIds.map((_, n) => n + 1))
    expect(await findBalance(router.db, key.owner)).toMatchObject({ spent: 84n, held: 0n })
    expect(await transactionsOf(key)).toBe(1)
  })

  test('fail individually: a call id that is taken, a cost above the hold', async () => {
    const [taken, others] = [await balanceKey(100n), await balanceKey(100n)]
    const callId = randomUUID()
    await batcher.hold(askedFor(taken, 10n, { callId }))
    const [again, ...fine] = await Promise.allSettled([
      batcher.hold(askedFor(taken, 10n, { callId })),
      ...[1, 2, 3].map(() => batcher.hold(askedFor(others, 10n))),
    ])
    expect(again).toMatchObject({ status: 'rejected', reason: { code: '23505' } })
    expect(fine.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    const cheap = randomUUID()
    await batcher.hold(askedFor(others, 10n, { callId: cheap }))
    const settled = await Promise.allSettled([
      batcher.settle(callId, costing(11n)),
      batcher.settle(cheap, costing(10n)),
    ])
    expect(settled).toMatchObject([
      { status: 'rejected' },
      { status: 'fulfilled', value: { text: expect.stringContaining('"seq":1,') } },
    ])
  })

  test('do not wait for another’s row: one whose key is locked elsewhere is held when it is free', async () => {
    const [locked, free] = [await balanceKey(100n), await balanceKey(100n)]
    const released = await lockedElsewhere(locked.id)
    let isHeld = false
    const waiting = batcher.hold(askedFor(locked, 10n)).then((held) => {
      isHeld = true
      return held
    })
    const beside = await atOnce(3, () => batcher.hold(askedFor(free, 10n)))
    // A later turn does not wait for the pending one either.
    beside.push(await batcher.hold(askedFor(free, 10n)))
    expect(kindsOf(beside)).toEqual(['held', 'held', 'held', 'held'])
    expect(isHeld).toBe(false)
    await released()
    expect((await waiting).kind).toBe('held')
  })
})

test('a call that came alone and waits for its row delays no later call, and is held when the row is free', async () => {
  const [locked, free] = [await balanceKey(100n), await balanceKey(100n)]
  const released = await lockedElsewhere(locked.id)
  const waiting = batcher.hold(askedFor(locked, 10n))
  await router.untilOneWaits()
  expect((await batcher.hold(askedFor(free, 10n))).kind).toBe('held')
  await released()
  expect((await waiting).kind).toBe('held')
})

test('a call that came alone fails as itself: a call id that is taken, a cost above the hold', async () => {
  const key = await balanceKey(100n)
  const callId = randomUUID()
  await batcher.hold(askedFor(key, 10n, { callId }))
  await expect(batcher.hold(askedFor(key, 10n, { callId }))).rejects.toMatchObject({ code: '23505' })
  await expect(batcher.settle(callId, costing(11n))).rejects.toThrow(RangeError)
  expect((await batcher.settle(callId, costing(10n)))?.text).toContain('"seq":1,')
  expect(await batcher.settle(callId, costing(10n))).toBeUndefined()
})

test('two Routers hold and settle for keys of the same owners and links in any order without a deadlock', async () => {
  const { db } = router
  const linkId = randomUUID()
  await inTx(db, (tx) => setLimit(tx, subjectOf('link', linkId), 1_000_000n))
  const owners = [someOwner(), someOwner(), someOwner()]
  for (const owner of owners) await bought(db, owner, 1_000_000n)
  const keys = await atOnce(12, (n) => {
    const owner = owners[n % owners.length] ?? someOwner()
    const source = n % 2 ? 'balance' : 'compute'
    return storedKey(db, owner, n % 4 === 0 ? { source, linkId } : { source })
  })
  const routers = [batcher, new CallBatcher(db)]
  const deadlocks = async () => {
    const { rows } = await sql<{ n: string }>`
      select deadlocks::text as n from pg_stat_database where datname = current_database()`.execute(db)
    return rows[0]?.n
  }
  const before = await deadlocks()
  const one = async (n: number) => {
    const key = keys[randomInt(keys.length)]
    const [first, second] = n % 2 ? routers : routers.toReversed()
    if (!key || !first || !second) throw new Error('there is nothing to call with')
    const callId = randomUUID()
    const held = await first.hold(askedFor(key, 5n, { callId, ownerLimit: 1_000_000n }))
    expect(held.kind).toBe('held')
    expect(await second.settle(callId, costing(3n))).toBeDefined()
  }
  await atOnce(8, async () => {
    for (let round = 0; round < 12; round += 1) await atOnce(4, one)
  })
  for (const owner of owners) expect(await findBalance(db, owner)).toMatchObject({ held: 0n })
  expect(await deadlocks()).toBe(before)
})

test('calls that are settled together come to the same result as calls settled one by one', async () => {
  const { db } = router
  const kinds = ['balance', 'compute', 'linked', 'paid in'] as const
  const calls = Array.from({ length: 24 }, (_, n) => ({ key: n % kinds.length, cost: BigInt(randomInt(0, 13)) }))
  /** Two of a dozen cost more than is held, and every third is settled a second time, at another cost. */
  const settledBy = async (settleThem: (dues: Due[]) => Promise<unknown[]>) => {
    const owner = someOwner()
    await bought(db, owner, 1_000_000n)
    const linkId = randomUUID()
    await inTx(db, (tx) => setLimit(tx, subjectOf('link', linkId), 1_000_000n))
    const keys = await Promise.all(
      kinds.map((kind) =>
        storedKey(db, owner, {
          source: kind === 'balance' ? 'balance' : 'compute',
          linkId: kind === 'linked' ? linkId : null,
        }),
      ),
    )
    await sql`update router_key set paid_in_nano = 1000 where id = ${keys.at(-1)?.id}`.execute(db)
    const dues: Due[] = []
    for (const { key, cost } of calls) {
      const callId = randomUUID()
      // Some were held before midnight: their budgets have moved on to another day when they are settled.
      const now = dues.length < 6 ? later(-86_400_000) : NOON
      const asked = askedFor(keys[key] as NewKey, 10n, { callId, ownerLimit: 1_000_000n, now })
      expect((await batcher.hold({ ...asked, fromPaidIn: kinds[key] === 'paid in' })).kind).toBe('held')
      dues.push({ callId, ...costing(cost) })
    }
    dues.push(...dues.filter((_, n) => n % 3 === 0).map((due) => ({ ...due, cost: 1n })))
    const outcomes = await settleThem(dues)
    const subjects = [
      subjectOf('owner', owner),
      subjectOf('link', linkId),
      ...keys.map(({ id }) => subjectOf('key', id)),
    ]
    const budgets = await budgetsOf(db, subjects, NOON.toISOString().slice(0, 10))
    const { rows } = await sql<Record<string, unknown>>`
      select under_way, paid_in_spent_nano::text, paid_in_held_nano::text from router_key
      where owner = ${owner} order by array_position(${keys.map(({ id }) => id)}::text[], id)`.execute(db)
    return { outcomes, balance: await findBalance(db, owner), budgets: subjects.map((one) => budgets.get(one)), rows }
  }
  const placeOf = (outcome: unknown) =>
    outcome instanceof RangeError ? 'too dear' : outcome && JSON.parse((outcome as { text: string }).text).seq
  const together = await settledBy((dues) => settleAll(db, dues))
  const oneByOne = await settledBy(async (dues) => {
    const outcomes: unknown[] = []
    for (const { callId, ...due } of dues)
      outcomes.push(await settle(db, callId, due).catch((error: RangeError) => error))
    return outcomes
  })
  expect({ ...together, outcomes: together.outcomes.map(placeOf) }).toEqual({
    ...oneByOne,
    outcomes: oneByOne.outcomes.map(placeOf),
  })
})

test('calls that are held together are held or refused as if they were held one by one', async () => {
  const { db } = router
  const kinds = [
    'balance',
    'compute',
    'linked',
    'of a link without a budget',
    'poor',
    'ended',
    'narrow',
    'paid in',
  ] as const
  const calls = Array.from({ length: 48 }, (_, n) => ({
    kind: kinds[n % kinds.length],
    amount: BigInt(randomInt(0, 40)),
  }))
  const heldBy = async (holdThem: (calls: Parameters<typeof hold>[1][]) => Promise<Held[]>) => {
    const owner = someOwner()
    const other = someOwner()
    const linkId = randomUUID()
    await inTx(db, (tx) => setLimit(tx, subjectOf('link', linkId), 55n))
    await bought(db, owner, 70n)
    const keys = {
      balance: await storedKey(db, owner, { source: 'balance' }),
      compute: await storedKey(db, owner),
      linked: await storedKey(db, owner, { linkId }),
      'of a link without a budget': await storedKey(db, owner, { linkId: randomUUID() }),
      poor: await storedKey(db, other, { source: 'balance' }),
      ended: await storedKey(db, owner),
      narrow: await storedKey(db, other),
      'paid in': await storedKey(db, owner),
    }
    await sql`update router_key set ended_at = now() where id = ${keys.ended.id}`.execute(db)
    await sql`update router_key set paid_in_nano = 60 where id = ${keys['paid in'].id}`.execute(db)
    await inTx(db, (tx) => setLimit(tx, subjectOf('key', keys.narrow.id), 30n))
    // A budget of the previous day: the first call of this day forgets what it holds.
    await hold(db, askedFor(keys.compute, 9n, { now: later(-86_400_000) }))
    const outcomes = await holdThem(
      calls.map(({ kind = 'compute', amount }) => ({
        ...askedFor(keys[kind], kind === 'narrow' ? 2n : amount, {
          least: amount / 2n,
          ownerLimit: 130n,
          concurrency: kind === 'narrow' ? 2 : 1_000,
        }),
        fromPaidIn: kind === 'paid in',
      })),
    )
    const subjects = [subjectOf('owner', owner), subjectOf('owner', other), subjectOf('link', linkId)]
    subjects.push(...Object.values(keys).map(({ id }) => subjectOf('key', id)))
    const budgets = await budgetsOf(db, subjects, NOON.toISOString().slice(0, 10))
    const { rows } = await sql<Record<string, unknown>>`
      select under_way, paid_in_held_nano::text, last_used_at from router_key
      where owner in (${owner}, ${other}) order by array_position(${Object.values(keys).map(({ id }) => id)}::text[], id)`.execute(
      db,
    )
    const facts = outcomes.map((one) =>
      'key' in one ? { ...one, key: one.key.source, used: one.key.lastUsedAt } : one,
    )
    return { facts, balance: await findBalance(db, owner), budgets: subjects.map((one) => budgets.get(one)), rows }
  }
  const together = await heldBy((asked) => holdAll(db, asked))
  const oneByOne = await heldBy(async (asked) => {
    const outcomes: Held[] = []
    for (const one of asked) outcomes.push(await hold(db, one))
    return outcomes
  })
  expect(together).toEqual(oneByOne)
  expect(new Set(together.facts.map(({ kind }) => kind))).toEqual(new Set(['held', 'refused', 'no_key', 'busy']))
})

test('a batch that was planned while there were few rows reads few of many', async () => {
  const owner = someOwner()
  await bought(router.db, owner, 1_000_000n)
  const keys = await atOnce(3, () => storedKey(router.db, owner, { source: 'balance' }))
  const tx = await router.db.startTransaction().execute()
  const batch = async () => {
    const calls = [...keys, ...keys, ...keys].map((key) => askedFor(key, 10n))
    expect(kindsOf(await holdAll(tx, calls))).toEqual(calls.map(() => 'held'))
    const receipts = await settleAll(
      tx,
      calls.map(({ callId }) => ({ callId, ...costing(5n) })),
    )
    expect(receipts).not.toContain(undefined)
  }
  /** Rows that this transaction has read so far. */
  const read = async () => {
    const { rows } = await sql<{ n: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables
      where schemaname = current_schema()`.execute(tx)
    return rows[0]?.n ?? 0
  }
  try {
    await batch()
    const planned = await read()
    await batch()
    const few = (await read()) - planned
    const many = sql`generate_series(1, 3000) as n`
    await sql`insert into router_key (id, hash, prefix, owner, source, label, created_at)
              select 'k' || n, sha256(n::text::bytea), '', 'o' || n, 'balance', '', now() from ${many}`.execute(tx)
    await sql`insert into budget (subject, day, spent_nano, held_nano) select 'key:k' || n, now(), 0, 0 from ${many}`.execute(
      tx,
    )
    await sql`insert into balance select 'o' || n, 0, 0, 0 from ${many}`.execute(tx)
    await sql`insert into receipt_chain select 'k' || n, 1, null, sha256(''), '{}' from ${many}`.execute(tx)
    await sql`insert into call (call_id, key_id, owner, source, day, amount_nano, model, price_version, surface, created_at,
                                expires_at, state, cost_nano, settled_at)
              select 'c' || n, 'k' || n, 'o' || n, 'balance', now(), 0, '', '', '', now(), now(), 'settled', 0, now()
              from ${many}`.execute(tx)
    const before = await read()
    await batch()
    expect((await read()) - before).toBeLessThan(few + 1_000)
  } finally {
    await tx.rollback().execute()
  }
})
