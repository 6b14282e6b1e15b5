import { randomUUID } from 'node:crypto'
import type { catalog } from '@callboard/contract'
import { DAY_MS, isoTime, refuse, SECOND_MS } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { keepReport } from '../store/support-report.repository.ts'

/** The expiry is also at a day's end, so that it does not reveal when the report came. */
export const submitReport: CatalogHandler<typeof catalog.submitReport> = async (report, { config, clock, db }) => {
  const now = clock.now()
  const day = isoTime(now).slice(0, 10)
  const tomorrow = Date.parse(day) + DAY_MS
  const id = randomUUID()
  const expiresAt = tomorrow + config.SUPPORT_REPORT_DAYS * DAY_MS
  const isKept = await db
    .transaction()
    .execute((tx) =>
      keepReport(tx, { id, day, expiresAt: new Date(expiresAt), report }, config.SUPPORT_REPORTS_PER_DAY),
    )
  if (isKept) return { id, expiresAt: isoTime(expiresAt) }
  return refuse('rate_limited', {
    message: 'The daily limit of support reports is reached.',
    retryAfterSeconds: Math.ceil((tomorrow - now) / SECOND_MS),
  })
}
