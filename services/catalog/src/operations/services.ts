import type { catalog } from '@callboard/contract'
import { fitting } from '../domain/fitting.ts'
import { plainQuery } from '../domain/search-text.ts'
import { serviceOf } from '../domain/service-shape.ts'
import { offered } from '../domain/visibility.ts'
import type { CatalogHandler } from '../kit.ts'

export const services: CatalogHandler<typeof catalog.services> = async (
  { q, category, limit, includeUnverified },
  { parts, clock },
) => {
  const question = { q: plainQuery(q), category, visibility: offered(includeUnverified), nowMs: clock.now() }
  const rows = parts.directory.page(question, limit)
  return { services: fitting(rows.map(({ listed }) => serviceOf(listed))) }
}
