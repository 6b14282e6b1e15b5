import type { catalog } from '@callboard/contract'
import type { CatalogHandler } from '../context.ts'
import { supplyOf } from '../store/supply.repository.ts'

export const supplyCirculating: CatalogHandler<typeof catalog.supplyCirculating> = async (_, { db }) =>
  (await supplyOf(db)).circulating
