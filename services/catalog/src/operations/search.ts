import type { catalog } from '@callboard/contract'
import { fitting } from '../domain/fitting.ts'
import { plainQuery } from '../domain/search-text.ts'
import { serviceOf } from '../domain/service-shape.ts'
import { everything } from '../domain/visibility.ts'
import type { CatalogHandler } from '../kit.ts'

export const search: CatalogHandler<typeof catalog.search> = async ({ q, limit }, { parts, clock }) => {
  const question = { q: plainQuery(q), visibility: everything, nowMs: clock.now() }
  const rows = parts.directory.page(question, limit)
  return { calls: fitting(rows.map(({ listed }) => serviceOf(listed))) }
}
