import type { catalog } from '@callboard/contract'
import { fitting } from '../domain/fitting.ts'
import { plainQuery } from '../domain/search-text.ts'
import { serviceOf } from '../domain/service-shape.ts'
import { everything } from '../domain/visibility.ts'
import type { CatalogHandler } from '../kit.ts'
import { directoryPage } from '../store/directory.repository.ts'

export const search: CatalogHandler<typeof catalog.search> = async ({ q, limit }, { db, clock }) => {
  const question = { q: plainQuery(q), visibility: everything, nowMs: clock.now() }
  const rows = await directoryPage(db, question, limit)
  return { calls: fitting(rows.map(serviceOf)) }
}
