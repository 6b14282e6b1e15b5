import { fitting } from '@callboard/bus'
import type { catalog } from '@callboard/contract'
import type { CatalogHandler } from '../context.ts'
import { serviceOf } from '../domain/service-shape.ts'
import { everything } from '../domain/visibility.ts'

const ROWS = 1000

export const list: CatalogHandler<typeof catalog.list> = async (_input, { resources, clock }) => {
  const rows = resources.directory.page({ q: '', visibility: everything, nowMs: clock.now() }, ROWS)
  return { calls: fitting(rows.map(({ listed }) => serviceOf(listed))) }
}
