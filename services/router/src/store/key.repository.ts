import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import { subjectOf } from './budget.repository.ts'
import type { RouterDb, RouterTx, Source } from './tables.ts'

/** A key without its hash. */
export interface RouterKey {
  readonly id: string
  /** The readable beginning of the secret. */
  readonly prefix: string
  readonly owner: Address
  /** The agent's link that it belongs to; null for a key that the owner minted. */
  readonly linkId: string | null
  readonly source: Source
  readonly label: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** A key to be stored: only the SHA-256 of its secret is known. */
export type NewKey = Omit<RouterKey, 'lastUsedAt'> & { readonly hash: Uint8Array }

export type NewWallet = Pick<NewKey, 'id' | 'hash' | 'owner' | 'createdAt'>

const KEY = [
  'id',
  'prefix',
  'owner',
  'link_id as linkId',
  'source',
  'label',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

/** @throws the database's 23505 if the id or the hash is taken */
export async function insertKey(tx: RouterTx, { linkId, createdAt, ...key }: NewKey): Promise<void> {
  const row = { ...key, link_id: linkId, created_at: createdAt, last_used_at: null, ended_at: null }
  await tx.insertInto('router_key').values(row).execute()
}

/** Creates the row that counts a wallet's own calls, unless it exists. It draws on the balance and is never listed. */
export async function ensureWallet(tx: RouterTx, { id, hash, owner, createdAt }: NewWallet): Promise<void> {
  const wallet = { prefix: '', link_id: null, source: 'balance', kind: 'wallet', label: 'Wallet' } as const
  await tx
    .insertInto('router_key')
    .values({ id, hash, owner, created_at: createdAt, last_used_at: null, ended_at: null, ...wallet })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

/** Locks the row of a key until the transaction ends. */
export async function lockKey(tx: RouterTx, id: string): Promise<void> {
  await sql`select from router_key where id = ${id} for no key update`.execute(tx)
}

/** Adds to what a key may draw from its owner's balance; nano-USD. */
export async function addPaidIn(tx: RouterTx, id: string, amount: bigint): Promise<void> {
  await sql`update router_key set paid_in_nano = paid_in_nano + ${amount}::bigint where id = ${id}`.execute(tx)
}

/** What calls of a Compute key paid into its owner's balance, and what they spent and hold of it; nano-USD. */
export async function paidInOf(db: RouterDb, id: string) {
  const { rows } = await sql<Record<'limit' | 'spent' | 'held', string>>`
    select paid_in_nano::text as limit, paid_in_spent_nano::text as spent, paid_in_held_nano::text as held
    from router_key where id = ${id}`.execute(db)
  const [{ limit, spent, held } = { limit: '0', spent: '0', held: '0' }] = rows
  return { limit: BigInt(limit), spent: BigInt(spent), held: BigInt(held) }
}

/** Counts the live keys an owner minted. Locks until commit, so that of two concurrent mints one sees the other. */
export async function mintedByOwner(tx: RouterTx, owner: Address): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`router:keys:${owner}`}, 0))`.execute(tx)
  const { minted } = await tx
    .selectFrom('router_key')
    .select(({ fn }) => fn.countAll<number>().as('minted'))
    .where('owner', '=', owner)
    .where('link_id', 'is', null)
    .where('kind', '=', 'secret')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return minted
}

/** The live keys that an owner minted, newest first; those of its agents' links are excluded. */
export const liveKeysOf = (db: RouterDb, owner: Address): Promise<RouterKey[]> =>
  db
    .selectFrom('router_key')
    .select(KEY)
    .where('owner', '=', owner)
    .where('link_id', 'is', null)
    .where('kind', '=', 'secret')
    .where('ended_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** A live key by the SHA-256 of its secret. */
export const keyByHash = (db: RouterDb, hash: Uint8Array): Promise<RouterKey | undefined> =>
  db.selectFrom('router_key').select(KEY).where('hash', '=', hash).where('ended_at', 'is', null).executeTakeFirst()

/** Ends a key that an owner minted. @returns false when there is no such live key */
export async function endKey(tx: RouterTx, { owner, id }: { owner: Address; id: string }, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('router_key')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('link_id', 'is', null)
    .where('kind', '=', 'secret')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Selects keys of a link: all of them, those of one source, or all but one. */
export interface KeysOfLink {
  readonly linkId: string
  readonly source?: Source | undefined
  readonly exceptId?: string | undefined
}

/** Ends live keys of a link. @returns their hashes */
export async function endKeysOfLink(
  tx: RouterTx,
  { linkId, source, exceptId }: KeysOfLink,
  now: Date,
): Promise<Uint8Array[]> {
  const ending = tx
    .selectFrom('router_key')
    .select('id')
    .where('link_id', '=', linkId)
    .where('ended_at', 'is', null)
    .$if(source !== undefined, (query) => query.where('source', '=', source as Source))
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId as string))
    // In a fixed order, so that two transactions that end the same keys do not deadlock.
    .orderBy('id')
    .forNoKeyUpdate()
  const ended = await tx
    .updateTable('router_key')
    .set({ ended_at: now })
    .where('id', 'in', ending)
    .returning('hash')
    .execute()
  return ended.map(({ hash }) => hash)
}

/** Rows per statement, few enough that others do not wait for them for long. */
const AT_ONCE = 1_000

/**
 * Deletes keys that ended before a moment and never held a call, with their limits and refusals. A key with a call stays
 * for good, since its receipts do.
 * @returns whether there may be more of them
 */
export async function forgetUnused(db: RouterDb, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with unused as materialized (
      select id, ${subjectOf('key', '')} || id as subject from router_key
      where ended_at < ${before} and last_used_at is null and paid_in_nano = 0
        and not exists (select from receipt_chain where key_id = router_key.id)
      limit ${AT_ONCE} for update skip locked),
    unlimited as (delete from budget where subject in (select subject from unused)),
    unnoted as (delete from budget_limit where subject in (select subject from unused)),
    unrefused as (delete from refusal where key_id in (select id from unused))
    delete from router_key where id in (select id from unused)`.execute(db)
  return Number(numAffectedRows ?? 0n) === AT_ONCE
}
