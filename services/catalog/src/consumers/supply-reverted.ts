import type { supplyReverted } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepSupplyChange } from '../store/supply.repository.ts'

export const onSupplyReverted: CatalogConsumer<typeof supplyReverted> = async (seen, { tx, envelope }) => {
  await keepSupplyChange(tx, { ...seen, sequence: envelope.sequence }, true)
}
