import type { supplyChanged } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepSupplyChange } from '../store/supply.repository.ts'

export const onSupplyChanged: CatalogConsumer<typeof supplyChanged> = async (seen, { tx, envelope }) => {
  await keepSupplyChange(tx, { ...seen, sequence: envelope.sequence }, false)
}
