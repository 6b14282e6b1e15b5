import { CLAIMED_BY_POSTER, type catalog, type PostingSnapshot } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { openPostingsOf } from '../store/posting.repository.ts'

/** A posting that ended, for any reason, is not found. */
export const posting: CatalogHandler<typeof catalog.posting> = async ({ id }, { db, clock }) => {
  const [text] = await openPostingsOf(db, [id], new Date(clock.now()))
  if (text === undefined) return refuse('not_found')
  const { version: _, status: __, ...shown } = JSON.parse(text) as PostingSnapshot
  return { ...shown, claims: [...CLAIMED_BY_POSTER] }
}
