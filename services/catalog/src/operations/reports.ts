import { fitting } from '@callboard/bus'
import type { catalog } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { newestReports } from '../store/support-report.repository.ts'

export const reports: CatalogHandler<typeof catalog.reports> = async ({ limit, after }, { db }) => {
  const kept = (await newestReports(db, limit, after)).map(({ id, day, expiresAt, report }) => ({
    ...report,
    ...{ id, day, expiresAt: isoTime(expiresAt.getTime()) },
  }))
  const page = fitting(kept)
  const last = page.at(-1)
  const isLast = page.length === kept.length && kept.length < limit
  return isLast || !last ? { reports: page } : { reports: page, next: { day: last.day, id: last.id } }
}
