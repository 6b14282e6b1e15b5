import type { Address } from '@callboard/values'
import { type ExpressionBuilder, sql } from 'kysely'
import type { ListingPlace } from '../domain/listing-cursor.ts'
import type { Posting } from '../domain/posting/posting.ts'
import { verifiedRows } from './mirror.repository.ts'
import type { ListingsDb, ListingsTables, ListingsTx, PostingRow } from './tables.ts'

const postingOf = (row: PostingRow): Posting => ({
  id: row.id,
  version: row.version,
  kind: row.kind,
  owner: row.owner,
  title: row.title,
  description: row.description,
  category: row.category,
  amountUsd: row.amount_usd,
  accepts: row.accepts,
  contactUrl: row.contact_url,
  status: row.status,
  endedBecause: row.ended_because,
  hasVerifiedListing: row.has_verified_listing,
  postedFrom: row.posted_from,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  expiresAt: row.expires_at.getTime(),
})

/** The columns of a posting that can change. */
const mutableColumns = (posting: Posting) => ({
  version: posting.version,
  title: posting.title,
  description: posting.description,
  category: posting.category,
  amount_usd: posting.amountUsd,
  accepts: JSON.stringify(posting.accepts),
  contact_url: posting.contactUrl,
  status: posting.status,
  ended_because: posting.endedBecause,
  has_verified_listing: posting.hasVerifiedListing,
  posted_from: posting.postedFrom,
  updated_at: new Date(posting.updatedAt),
  expires_at: new Date(posting.expiresAt),
})

export const insertPosting = (tx: ListingsTx, posting: Posting) =>
  tx
    .insertInto('posting')
    .values({
      ...mutableColumns(posting),
      id: posting.id,
      kind: posting.kind,
      owner: posting.owner,
      created_at: new Date(posting.createdAt),
    })
    .execute()

export const savePosting = (tx: ListingsTx, posting: Posting) =>
  tx.updateTable('posting').set(mutableColumns(posting)).where('id', '=', posting.id).execute()

export async function lockPosting(tx: ListingsTx, id: string): Promise<Posting | undefined> {
  const row = await tx.selectFrom('posting').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && postingOf(row)
}

/** The next postings of an owner after a place, oldest first, including ended ones. */
export async function postingsOf(
  db: ListingsDb,
  owner: Address,
  limit: number,
  after?: ListingPlace,
): Promise<Posting[]> {
  const rows = await db
    .selectFrom('posting')
    .selectAll()
    .where('owner', '=', owner)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${new Date(after?.createdAt ?? 0)}, ${after?.slug ?? ''})`),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(postingOf)
}

const hasListed = (owner: string) => sql<boolean>`
  exists (select from listing where listing.owner = ${sql.ref(owner)} and listing.status = 'live'
            and listing.verification = 'verified' and listing.withdrawn_at is null)`

/** Whether an owner has a live listing that the operator verified. */
export async function hasVerifiedListing(tx: ListingsTx, owner: Address): Promise<boolean> {
  const { rows } = await sql<{ verified: boolean }>`
    select ${hasListed('asked.owner')} as verified from (select ${owner}::text as owner) asked`.execute(tx)
  return rows[0]?.verified === true || (await verifiedRows(tx, owner)).length > 0
}

/** Locks some open postings whose `has_verified_listing` is no longer right. */
export async function lockOfOtherVerification(tx: ListingsTx, now: Date, limit: number): Promise<Posting[]> {
  const owners = (await verifiedRows(tx)).map(({ owner }) => owner)
  const rows = await tx
    .selectFrom('posting')
    .selectAll()
    .where(isOpen(now))
    .where(sql<boolean>`
      has_verified_listing <> (${hasListed('posting.owner')} or posting.owner = any(${owners}::text[]))`)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(postingOf)
}

const isOpen = (now: Date) => (row: ExpressionBuilder<ListingsTables, 'posting'>) =>
  row.and([row('posting.status', '=', 'open'), row('posting.expires_at', '>', now)])

/** How many other postings are open: of its owner, and without a verified listing, from its network and in all. */
export async function countOpen(tx: ListingsTx, { id, owner, postedFrom }: Posting, now: Date) {
  const { ofOwner, ofNetwork, inAll } = await tx
    .selectFrom('posting')
    .select((row) => [
      row.fn.countAll<number>().filterWhere('owner', '=', owner).as('ofOwner'),
      row.fn
        .countAll<number>()
        .filterWhere('posted_from', '=', postedFrom)
        .filterWhere('has_verified_listing', '=', false)
        .as('ofNetwork'),
      row.fn.countAll<number>().filterWhere('has_verified_listing', '=', false).as('inAll'),
    ])
    .where(isOpen(now))
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
  return { ofOwner: Number(ofOwner), ofNetwork: Number(ofNetwork), inAll: Number(inAll) }
}

/** For the network with most open postings of owners without a verified listing: their count, the oldest locked. */
export async function lockOldestOfFullest(tx: ListingsTx, now: Date) {
  const fullest = await tx
    .selectFrom('posting')
    .select((row) => ['posted_from', row.fn.countAll<number>().as('count')])
    .where(isOpen(now))
    .where('has_verified_listing', '=', false)
    .groupBy('posted_from')
    .orderBy('count', 'desc')
    .orderBy('posted_from')
    .limit(1)
    .executeTakeFirst()
  if (!fullest) return undefined
  const oldest = await tx
    .selectFrom('posting')
    .selectAll()
    .where(isOpen(now))
    .where('has_verified_listing', '=', false)
    .where(sql<boolean>`posted_from is not distinct from ${fullest.posted_from}`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return oldest && { count: Number(fullest.count), oldest: postingOf(oldest) }
}

/** Deletes postings that ended, and were last changed, before a given time. */
export const deleteEnded = (db: ListingsDb, before: Date) =>
  db.deleteFrom('posting').where('updated_at', '<', before).where('expires_at', '<', before).execute()
