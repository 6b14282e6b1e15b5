import type { listings } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { oldestWaiting } from '../store/waiting.repository.ts'

/** Not bound to HTTP: only the operator's command reaches it. */
export const waiting: ListingsHandler<typeof listings.waiting> = async ({ limit, after }, { db }) => {
  const from = after && { slug: after.slug, since: new Date(after.since) }
  const found = (await oldestWaiting(db, limit, from)).map(({ since, ...one }) => ({
    ...one,
    since: isoTime(since.getTime()),
  }))
  const last = found.at(-1)
  if (found.length < limit || !last) return { waiting: found }
  return { waiting: found, next: { since: last.since, slug: last.slug } }
}
