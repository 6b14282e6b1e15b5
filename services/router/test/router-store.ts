import { createHash, randomUUID } from 'node:crypto'
import { type Database, migrate, openDatabase } from '@callboard/store'
import { testDatabase, until } from '@callboard/testkit'
import type { Address } from '@callboard/values'
import { router as service } from '../src/service.ts'
import { hold } from '../src/store/hold.repository.ts'
import { insertKey, type NewKey } from '../src/store/key.repository.ts'
import { credit } from '../src/store/ledger.repository.ts'
import type { RouterDb, RouterTables, RouterTx } from '../src/store/tables.ts'

export const NOON = new Date('2026-11-23T12:00:00Z')
export const later = (ms: number, than = NOON): Date => new Date(than.getTime() + ms)

/** The router's store on its own database, with connections for concurrent calls. */
export async function routerStore(postgresUrl: string) {
  const database = await testDatabase(postgresUrl)
  const settings = { url: database.url, schema: 'router', maxConnections: 16, onError: () => {} }
  const store: Database<RouterTables> = openDatabase(settings)
  await migrate(store.db as never, 'router', service.migrations ?? {})
  const close = async () => {
    await store.close()
    await database.drop()
  }
  /** Waits until a statement waits for a lock of another transaction. */
  const untilOneWaits = () =>
    until('a statement waits for a lock', async () => {
      const rows = await database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
  return { db: store.db, database, untilOneWaits, close }
}

export const inTx = <Result>(db: RouterDb, work: (tx: RouterTx) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(work)

export const someOwner = (): Address => `0x${randomUUID().replaceAll('-', '').padEnd(40, '0')}`

/** A key with a new secret. */
export function newKey(owner: Address, given: Partial<NewKey> = {}): NewKey {
  const id = randomUUID()
  const hash = createHash('sha256').update(id).digest()
  return { id, hash, prefix: 'cbr_', owner, linkId: null, source: 'compute', label: '', createdAt: NOON, ...given }
}

export async function storedKey(db: RouterDb, owner: Address, given: Partial<NewKey> = {}): Promise<NewKey> {
  const key = newKey(owner, given)
  await inTx(db, (tx) => insertKey(tx, key))
  return key
}

export const paymentOf = (owner: Address, amount: bigint, paymentKey: string = randomUUID()) => ({
  ...{ paymentKey, owner, amount, network: 'eip155:8453' as const, asset: '0xUSDC', now: NOON },
})

export const bought = (db: RouterDb, owner: Address, amount: bigint) =>
  inTx(db, (tx) => credit(tx, paymentOf(owner, amount)))

/** Holds for a call of a key, with the defaults of most tests. */
export const holdFor = (db: RouterDb, key: NewKey, amount: bigint, given: Parameters<typeof askedFor>[2] = {}) =>
  hold(db, askedFor(key, amount, given))

/** A call of a key, with the defaults of most tests. */
export function askedFor(
  key: NewKey,
  amount: bigint,
  { callId = randomUUID() as string, least = amount, ownerLimit = 1_000n, concurrency = 1_000, now = NOON } = {},
) {
  const facts = { model: 'small', priceVersion: '1', surface: 'chat.completions' }
  const asked = { callId, keyHash: key.hash, least, most: amount, ownerLimit, concurrency, ...facts }
  return { ...asked, now, expiresAt: later(600_000, now) }
}

/** An ending of a call at a given cost. */
export const costing = (cost: bigint, now = NOON) => ({ cost, estimated: false, ending: 'stop', now })
