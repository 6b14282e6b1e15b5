import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { setLimit, subjectOf } from '../src/store/budget.repository.ts'
import {
  endKey,
  endKeysOfLink,
  forgetUnused,
  insertKey,
  keyByHash,
  liveKeysOf,
  mintedByOwner,
} from '../src/store/key.repository.ts'
import { type RefusedCall, recordRefusal } from '../src/store/refusal.repository.ts'
import { holdFor, inTx, later, NOON, newKey, routerStore, someOwner, storedKey } from './router-store.ts'

const NOW = later(1_000)
const REFUSED: Omit<RefusedCall, 'keyId' | 'at'> = {
  ...{ model: 'small', surface: 'chat', limit: 'key' },
  ...{ asked: 9n, left: 5n, inFlight: 0n },
}

let router: Awaited<ReturnType<typeof routerStore>>
beforeAll(async () => {
  router = await routerStore(inject('postgresUrl'))
})
afterAll(() => router?.close())

test('a live key is found by its hash, and returned without it', async () => {
  const { hash, ...key } = await storedKey(router.db, someOwner(), { label: 'laptop' })
  expect(await keyByHash(router.db, hash)).toEqual({ ...key, lastUsedAt: null })
  expect(await keyByHash(router.db, Buffer.alloc(32))).toBeUndefined()
})

test('an owner sees the live keys that it minted, newest first, and none of its links’ keys', async () => {
  const owner = someOwner()
  const first = await storedKey(router.db, owner)
  const second = await storedKey(router.db, owner, { createdAt: later(1) })
  const ended = await storedKey(router.db, owner, { createdAt: later(2) })
  await storedKey(router.db, owner, { linkId: 'L1' })
  await storedKey(router.db, someOwner())
  expect(await inTx(router.db, (tx) => endKey(tx, ended, later(3)))).toBe(true)
  expect((await liveKeysOf(router.db, owner)).map(({ id }) => id)).toEqual([second.id, first.id])
  expect(await inTx(router.db, (tx) => mintedByOwner(tx, owner))).toBe(2)
})

test('concurrent mints each see those before them: a limit of ten is kept', async () => {
  const owner = someOwner()
  const mint = () =>
    inTx(router.db, async (tx) => {
      if ((await mintedByOwner(tx, owner)) >= 10) return false
      await insertKey(tx, newKey(owner))
      return true
    })
  const minted = await Promise.all(Array.from({ length: 24 }, mint))
  expect(minted.filter(Boolean)).toHaveLength(10)
  expect(await liveKeysOf(router.db, owner)).toHaveLength(10)
})

test('a key ends once, and only for its owner; a link’s key ends with the link', async () => {
  const key = await storedKey(router.db, someOwner())
  const linked = await storedKey(router.db, key.owner, { linkId: 'L2' })
  const end = (owner = key.owner, id = key.id) => inTx(router.db, (tx) => endKey(tx, { owner, id }, NOW))
  expect(await end(someOwner())).toBe(false)
  expect(await end(key.owner, linked.id)).toBe(false)
  expect(await end()).toBe(true)
  expect(await end()).toBe(false)
  expect(await keyByHash(router.db, key.hash)).toBeUndefined()
})
test('an ended key is refused at once, and a call that waited while it was ended holds nothing', async () => {
  const key = await storedKey(router.db, someOwner())
  expect(await holdFor(router.db, key, 1n)).toMatchObject({ kind: 'held' })
  const { waiting } = await inTx(router.db, async (tx) => {
    await endKey(tx, key, NOW)
    const holding = holdFor(router.db, key, 1n)
    await router.untilOneWaits()
    return { waiting: holding }
  })
  expect(await waiting).toEqual({ kind: 'no_key' })
  expect(await holdFor(router.db, key, 1n)).toEqual({ kind: 'no_key' })
})

test('a link’s keys end by source, or all but one', async () => {
  const owner = someOwner()
  const [one, two, paid] = [
    await storedKey(router.db, owner, { linkId: 'L3' }),
    await storedKey(router.db, owner, { linkId: 'L3' }),
    await storedKey(router.db, owner, { linkId: 'L3', source: 'balance' }),
  ]
  const other = await storedKey(router.db, owner, { linkId: 'L4' })
  const end = (which: { source?: 'compute'; exceptId?: string }) =>
    inTx(router.db, (tx) => endKeysOfLink(tx, { linkId: 'L3', ...which }, NOW))
  const live = async () =>
    (await Promise.all([one, two, paid, other].map(({ hash }) => keyByHash(router.db, hash)))).map(Boolean)
  expect(await end({ source: 'compute', exceptId: two.id })).toEqual([one.hash])
  expect(await live()).toEqual([false, true, true, true])
  expect(await end({ source: 'compute' })).toEqual([two.hash])
  expect(await end({})).toEqual([paid.hash])
  expect(await end({})).toEqual([])
  expect(await live()).toEqual([false, false, false, true])
})

test('the last use of a key is recorded at most once a minute', async () => {
  const key = await storedKey(router.db, someOwner())
  const usedAt = async (ms: number) => {
    await holdFor(router.db, key, 1n, { now: later(ms) })
    return (await keyByHash(router.db, key.hash))?.lastUsedAt
  }
  expect(await usedAt(0)).toEqual(later(0))
  expect(await usedAt(59_999)).toEqual(later(0))
  expect(await usedAt(60_000)).toEqual(later(60_000))
})

test('keys that ended long ago without a call are forgotten with their limits and refusals, and no others', async () => {
  const owner = someOwner()
  const [unused, called, late, live] = [
    await storedKey(router.db, owner, { linkId: 'L5' }),
    await storedKey(router.db, owner, { linkId: 'L5' }),
    await storedKey(router.db, owner),
    await storedKey(router.db, owner),
  ]
  for (const { id } of [unused, called, late, live]) {
    await inTx(router.db, (tx) => setLimit(tx, subjectOf('key', id), 5n))
    await recordRefusal(router.db, { ...REFUSED, keyId: id, at: NOON })
  }
  await inTx(router.db, (tx) => setLimit(tx, subjectOf('link', 'L5'), 5n))
  expect(await holdFor(router.db, called, 1n)).toMatchObject({ kind: 'held' })
  await inTx(router.db, (tx) => endKeysOfLink(tx, { linkId: 'L5' }, NOW))
  await inTx(router.db, (tx) => endKey(tx, late, later(1, NOW)))
  const more = Array.from({ length: 1_200 }, () => storedKey(router.db, owner, { linkId: 'L6' }))
  await Promise.all(more)
  await inTx(router.db, (tx) => endKeysOfLink(tx, { linkId: 'L6' }, later(-1, NOW)))

  while (await forgetUnused(router.db, later(1, NOW)));
  const kept = [called, late, live].map(({ id }) => id).sort()
  const idsIn = async (query: string) =>
    (await router.database.query<{ id: string }>(query, [[owner, unused.id, ...kept]])).map(({ id }) => id).sort()
  expect(await idsIn('select id from router.router_key where owner = any($1)')).toEqual(kept)
  expect(await idsIn('select key_id as id from router.refusal where key_id = any($1)')).toEqual(kept)
  for (const table of ['budget', 'budget_limit']) {
    expect(
      await idsIn(`select substr(subject, 5) as id from router.${table} where substr(subject, 5) = any($1)`),
    ).toEqual(kept)
  }
})
