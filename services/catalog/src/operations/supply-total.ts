import type { catalog } from '@callboard/contract'
import type { CatalogHandler } from '../context.ts'
import { supplyOf } from '../store/supply.repository.ts'

export const supplyTotal: CatalogHandler<typeof catalog.supplyTotal> = async (_, { db }) => (await supplyOf(db)).total
