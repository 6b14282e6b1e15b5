import type { burnReverted } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepBurn } from '../store/ledger/burn.repository.ts'

/** It is kept as reverted, for this may be heard before the observation that it takes back. */
export const onBurnReverted: CatalogConsumer<typeof burnReverted> = async (burn, { tx, envelope }) => {
  await keepBurn(tx, { ...burn, sequence: envelope.sequence }, true)
}
