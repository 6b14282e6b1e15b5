import type { PostingSnapshot } from '@callboard/contract'
import { type SqlBool, sql } from 'kysely'
import type { CatalogDb, CatalogTx } from './tables.ts'

/** Stores the highest version of a posting. */
export async function keepPosting(tx: CatalogTx, posting: PostingSnapshot): Promise<void> {
  const row = {
    version: posting.version,
    posting: JSON.stringify(posting),
    open: posting.status === 'open',
    updated_at: new Date(posting.updatedAt),
    expires_at: new Date(posting.expiresAt),
  }
  await tx
    .insertInto('posting')
    .values({ id: posting.id, ...row })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(row).where(sql<boolean>`posting.version < excluded.version`),
    )
    .execute()
}

interface PostingText {
  /** A `PostingSnapshot` as JSON. */
  readonly posting: string
}

/** Every posting that is open at a given time. */
export async function openPostings(db: CatalogDb, now: Date): Promise<string[]> {
  const { rows } = await sql<PostingText>`
    select posting::text as posting from posting where open and expires_at > ${now}`.execute(db)
  return rows.map(({ posting }) => posting)
}

/** Those of some postings that are open at a given time. */
export async function openPostingsOf(db: CatalogDb, ids: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<PostingText>`
    select posting::text as posting from posting
    where id = any(${ids}) and open and expires_at > ${now}`.execute(db)
  return rows.map(({ posting }) => posting)
}

/**
 * Deletes postings that were last changed, and ended, before a given time, so that no version is still open; and with
 * them what replicas follow them by, which its trigger writes once more: no replica has shown them for that long.
 */
export const deleteEnded = (db: CatalogDb, before: Date) =>
  db.transaction().execute(async (tx) => {
    const ended = await tx
      .deleteFrom('posting')
      .where('updated_at', '<', before)
      .where('expires_at', '<', before)
      .returning('id')
      .execute()
    const ids = ended.map(({ id }) => id)
    await tx.deleteFrom('listing_change').where(sql<SqlBool>`slug = any(${ids})`).execute()
  })
