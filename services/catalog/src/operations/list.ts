import type { catalog } from '@callboard/contract'
import { fitting } from '../domain/fitting.ts'
import { serviceOf } from '../domain/service-shape.ts'
import { everything } from '../domain/visibility.ts'
import type { CatalogHandler } from '../kit.ts'

const ROWS = 1000

export const list: CatalogHandler<typeof catalog.list> = async (_input, { parts, clock }) => {
  const rows = parts.directory.page({ q: '', visibility: everything, nowMs: clock.now() }, ROWS)
  return { calls: fitting(rows.map(({ listed }) => serviceOf(listed))) }
}
