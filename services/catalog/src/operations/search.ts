import { fitting } from '@callboard/bus'
import type { catalog } from '@callboard/contract'
import { plainQuery } from '@callboard/search-index'
import type { CatalogHandler } from '../context.ts'
import { serviceOf } from '../domain/service-shape.ts'
import { everything } from '../domain/visibility.ts'

export const search: CatalogHandler<typeof catalog.search> = async ({ q, limit }, { resources, clock }) => {
  const question = { q: plainQuery(q), visibility: everything, nowMs: clock.now() }
  const rows = resources.directory.page(question, limit)
  return { calls: fitting(rows.map(({ listed }) => serviceOf(listed))) }
}
