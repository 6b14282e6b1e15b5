import { fitting } from '@callboard/bus'
import type { catalog } from '@callboard/contract'
import { plainQuery } from '@callboard/search-index'
import type { CatalogHandler } from '../context.ts'
import { serviceOf } from '../domain/service-shape.ts'
import { offered } from '../domain/visibility.ts'

export const services: CatalogHandler<typeof catalog.services> = async (
  { q, category, limit, includeUnverified },
  { resources, clock },
) => {
  const question = { q: plainQuery(q), category, visibility: offered(includeUnverified), nowMs: clock.now() }
  const rows = resources.directory.page(question, limit)
  return { services: fitting(rows.map(({ listed }) => serviceOf(listed))) }
}
