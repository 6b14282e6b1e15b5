import type { catalog } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { newestReports } from '../store/support-report.repository.ts'

export const reports: CatalogHandler<typeof catalog.reports> = async ({ limit }, { db }) => ({
  reports: (await newestReports(db, limit)).map(({ id, day, expiresAt, report }) => ({
    ...report,
    ...{ id, day, expiresAt: isoTime(expiresAt.getTime()) },
  })),
})
