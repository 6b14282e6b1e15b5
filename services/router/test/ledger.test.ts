import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { findBalance } from '../src/store/balance.repository.ts'
import { settle } from '../src/store/hold.repository.ts'
import { credit, ledgerFaults } from '../src/store/ledger.repository.ts'
import type { RouterTx } from '../src/store/tables.ts'
import {
  forgetFailed,
  forgetTopUp,
  markCredited,
  markFailed,
  noteTopUp,
  takeDueTopUps,
} from '../src/store/top-up.repository.ts'
import {
  bought,
  costing,
  holdFor,
  inTx,
  later,
  NOON,
  paymentOf,
  routerStore,
  someOwner,
  storedKey,
} from './router-store.ts'

let router: Awaited<ReturnType<typeof routerStore>>
beforeAll(async () => {
  router = await routerStore(inject('postgresUrl'))
})
afterAll(() => router?.close())
afterEach(async () => expect(await ledgerFaults(router.db)).toEqual([]))

const entriesOf = (account: string) =>
  router.database.query<{ kind: string; reference: string; amount_nano: string }>(
    `select kind, reference, amount_nano from router.ledger_entry
     join router.ledger_transfer on id = transfer_id where account_id = $1 order by id`,
    [account],
  )

describe('a payment', () => {
  test('is credited once, however often it is submitted', async () => {
    const payment = paymentOf(someOwner(), 500n)
    const once = () => inTx(router.db, (tx) => credit(tx, payment))
    expect([await once(), await once()]).toEqual([true, false])
    expect(await findBalance(router.db, payment.owner)).toEqual({ purchased: 500n, spent: 0n, held: 0n })
    expect(await entriesOf(`owner:${payment.owner}`)).toEqual([
      { kind: 'top_up', reference: `payment:${payment.paymentKey}`, amount_nano: '500' },
    ])
  })

  test('is credited once when it is submitted concurrently, and so is each of the others', async () => {
    const owner = someOwner()
    const payments = [paymentOf(owner, 1n), paymentOf(owner, 10n), paymentOf(owner, 100n)]
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, n) => inTx(router.db, (tx) => credit(tx, payments[n % 3] as never))),
    )
    expect(outcomes.filter(Boolean)).toHaveLength(3)
    expect(await findBalance(router.db, owner)).toMatchObject({ purchased: 111n })
  })

  test('is credited by the next attempt when the previous one rolled back', async () => {
    const payment = paymentOf(someOwner(), 5n)
    const broken = inTx(router.db, async (tx) => {
      await credit(tx, payment)
      throw new Error('changed its mind')
    })
    await expect(broken).rejects.toThrow('changed its mind')
    expect(await findBalance(router.db, payment.owner)).toBeUndefined()
    expect(await inTx(router.db, (tx) => credit(tx, payment))).toBe(true)
  })

  test('error: of zero is refused', async () => {
    await expect(bought(router.db, someOwner(), 0n)).rejects.toThrow(RangeError)
  })
})

test('a call on a balance moves its cost from the owner to usage; a free one moves nothing', async () => {
  const key = await storedKey(router.db, someOwner(), { source: 'balance' })
  await bought(router.db, key.owner, 100n)
  const [paid, free] = [randomUUID(), randomUUID()]
  for (const callId of [paid, free]) await holdFor(router.db, key, 50n, { callId })
  await settle(router.db, paid, costing(30n))
  await settle(router.db, free, costing(0n))
  expect((await entriesOf(`owner:${key.owner}`)).slice(1)).toEqual([
    { kind: 'usage', reference: `call:${paid}`, amount_nano: '-30' },
  ])
  expect(await findBalance(router.db, key.owner)).toEqual({ purchased: 100n, spent: 30n, held: 0n })
})

describe('the database refuses', () => {
  const transfer = async (tx: RouterTx, ...amounts: bigint[]) => {
    const { id } = await tx
      .insertInto('ledger_transfer')
      .values({ kind: 'top_up', reference: randomUUID(), created_at: NOON })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [n, amount_nano] of amounts.entries())
      await tx
        .insertInto('ledger_entry')
        .values({ transfer_id: id, account_id: `owner:${n}`, amount_nano })
        .execute()
  }

  test('a transfer that does not sum to zero, on commit', async () => {
    for (const amounts of [[5n, -4n], [5n], []]) {
      const reached: string[] = []
      const unbalanced = inTx(router.db, async (tx) => {
        await transfer(tx, ...amounts)
        reached.push('commit')
      })
      await expect(unbalanced).rejects.toMatchObject({ code: '23514', message: expect.stringContaining('sums to') })
      expect(reached).toEqual(['commit'])
    }
  })

  test('another entry of an existing transfer', async () => {
    await bought(router.db, someOwner(), 5n)
    const added = router.database.query(
      `insert into router.ledger_entry select max(id), 'usage', 1 from router.ledger_transfer`,
    )
    await expect(added).rejects.toMatchObject({ code: '23514' })
  })

  test('any change to what the ledger holds', async () => {
    await bought(router.db, someOwner(), 5n)
    for (const table of ['ledger_transfer', 'ledger_entry'])
      for (const change of [
        `update router.${table} set ${table === 'ledger_entry' ? 'amount_nano = 1' : `reference = 'r'`}`,
        `delete from router.${table}`,
        `truncate router.${table} cascade`,
      ])
        await expect(router.database.query(change)).rejects.toMatchObject({
          code: '23001',
          message: expect.stringContaining('is append-only'),
        })
  })

  test('a balance that spends or holds more than was bought', async () => {
    const owner = someOwner()
    await bought(router.db, owner, 5n)
    for (const change of ['spent_nano = 6', 'held_nano = 6', 'spent_nano = 3, held_nano = 3', 'held_nano = -1'])
      await expect(
        router.database.query(`update router.balance set ${change} where owner = $1`, [owner]),
      ).rejects.toMatchObject({ code: '23514' })
  })
})

test('every contradiction is named', async () => {
  const key = await storedKey(router.db, someOwner())
  await bought(router.db, key.owner, 5n)
  await holdFor(router.db, key, 9n)
  const faults = await router.db
    .transaction()
    .execute(async (tx) => {
      await sql`set constraints all immediate`.execute(tx)
      await sql`update balance set spent_nano = 2 where owner = ${key.owner}`.execute(tx)
      await sql`update budget set held_nano = 8 where subject = ${`key:${key.id}`}`.execute(tx)
      await sql`alter table ledger_entry disable trigger user`.execute(tx)
      await sql`update ledger_entry set amount_nano = -7 where account_id = ${`owner:${key.owner}`}`.execute(tx)
      await sql`delete from ledger_account where id = ${`owner:${key.owner}`}`.execute(tx)
      const found = await ledgerFaults(tx)
      throw Object.assign(new Error('found'), { found })
    })
    .catch((error: { found: string[] }) => error.found)
  expect(faults).toEqual([
    expect.stringMatching(/^transfer payment:.* sums to -12$/),
    `entry of owner:${key.owner}, which is no account`,
    `balance of owner:${key.owner} is -7`,
    `balance of ${key.owner} has 5, 2, 0 and its entries and calls -7, 0, 0`,
    `budget of key:${key.id} has 0, 8 and its calls 0, 9`,
  ])
})

/** A millisecond after each is presented, and again whenever it is taken. */
const DUE = later(1)

const noted = async (paymentKey: string, ms: number) => {
  const due = { now: later(ms), until: DUE, limit: 10 }
  const taken = [true, false].map((awaited) => takeDueTopUps(router.db, { ...due, awaited }))
  return (await Promise.all(taken)).flat().filter((one) => one.paymentKey === paymentKey)
}

test('a payment is pending until it is credited or given up; one that arrives after all is credited', async () => {
  const { paymentKey, owner, amount, network } = paymentOf(someOwner(), 2n ** 60n + 1n)
  const presented = { paymentKey, fingerprint: 'first' }
  const note = (given = {}) =>
    noteTopUp(router.db, { ...presented, owner, amount, network, keyId: null, now: NOON, dueAt: DUE, ...given }, NOON)
  const failed = (createdAt = NOON) => markFailed(router.db, { ...presented, createdAt })
  const pending = (ms: number) => noted(paymentKey, ms)
  expect([await note(), await note()]).toEqual([true, false])
  expect(await pending(0)).toEqual([])
  expect(await pending(1)).toMatchObject([{ ...presented, owner, amount, state: 'pending', transaction: null }])
  expect(await failed()).toBe(true)
  expect(await pending(1)).toEqual([])
  expect(await note({ now: later(5) })).toBe(true)
  expect(await failed(later(5))).toBe(true)
  const credited = () => inTx(router.db, (tx) => markCredited(tx, presented, { transaction: '0xabc', now: later(9) }))
  expect([await credited(), await credited()]).toEqual([true, false])
  expect(await failed(later(5))).toBe(false)
  expect(await note()).toBe(false)
  expect(await pending(99)).toEqual([])
})

test('a payment that is presented again while it is being given up stays pending', async () => {
  const { paymentKey, owner, amount, network } = paymentOf(someOwner(), 3n)
  const topUp = { paymentKey, fingerprint: 'again', owner, amount, network, keyId: null, dueAt: DUE }
  await noteTopUp(router.db, { ...topUp, now: NOON }, NOON)
  const [seen] = await noted(paymentKey, 1)
  if (!seen) throw new Error('it is not pending')
  expect(await noteTopUp(router.db, { ...topUp, now: later(2) }, later(1))).toBe(true)
  expect([await markFailed(router.db, seen), await forgetTopUp(router.db, seen)]).toEqual([false, false])
  expect(await noted(paymentKey, 3)).toMatchObject([{ createdAt: later(2) }])
})

test('payments that failed long ago are forgotten, and no others: one that a wallet cannot pay costs nothing', async () => {
  const { owner, network } = paymentOf(someOwner(), 1n)
  await router.database.query(
    `insert into router.top_up (payment_key, fingerprint, owner, amount_nano, network, state, created_at, credited_at)
     select state || '/' || n, 'one', $1, 1, $2, state, $3, case state when 'credited' then $3::timestamptz end
     from generate_series(1, 1500) as n, unnest(array['failed', 'pending', 'credited']) as state`,
    [owner, network, NOON],
  )
  const kept = async () =>
    await router.database.query(
      'select state, count(*)::int as rows from router.top_up where owner = $1 group by state order by state',
      [owner],
    )
  expect(await forgetFailed(router.db, NOON)).toBe(false)
  expect(await kept()).toHaveLength(3)
  while (await forgetFailed(router.db, later(1)));
  expect(await kept()).toEqual([
    { state: 'credited', rows: 1500 },
    { state: 'pending', rows: 1500 },
  ])
  await router.database.query('delete from router.top_up where owner = $1', [owner])
})

test('a payment presented with another request is recorded beside the first, and a failure removes only one', async () => {
  const { paymentKey, owner, amount, network } = paymentOf(someOwner(), 7n)
  const note = (fingerprint: string) =>
    noteTopUp(router.db, { paymentKey, fingerprint, owner, amount, network, keyId: null, now: NOON, dueAt: DUE }, NOON)
  expect([await note('one'), await note('two')]).toEqual([true, true])
  expect(await markFailed(router.db, { paymentKey, fingerprint: 'one', createdAt: NOON })).toBe(true)
  expect(await noted(paymentKey, 1)).toMatchObject([{ fingerprint: 'two' }])
})
