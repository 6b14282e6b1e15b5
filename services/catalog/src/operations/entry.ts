import { type catalog, Slug } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { entryOf } from '../domain/service-shape.ts'
import { findPublished } from '../store/entry.repository.ts'

export const entry: CatalogHandler<typeof catalog.entry> = async ({ serviceId }, { db }) => {
  const found = Slug.safeParse(serviceId).success ? await findPublished(db, serviceId) : undefined
  return found ? entryOf(found.listed, found.schemas) : refuse('not_found')
}
