import type { catalog } from '@callboard/contract'
import { fitting } from '../domain/fitting.ts'
import { plainQuery } from '../domain/search-text.ts'
import { serviceOf } from '../domain/service-shape.ts'
import { offered } from '../domain/visibility.ts'
import type { CatalogHandler } from '../kit.ts'
import { directoryPage } from '../store/directory.repository.ts'

export const services: CatalogHandler<typeof catalog.services> = async (
  { q, category, limit, includeUnverified },
  { db, clock },
) => {
  const question = { q: plainQuery(q), category, visibility: offered(includeUnverified), nowMs: clock.now() }
  const rows = await directoryPage(db, question, limit)
  return { services: fitting(rows.map(serviceOf)) }
}
