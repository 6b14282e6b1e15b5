import type { burnReverted } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepBurn } from '../store/ledger/burn.repository.ts'

/** Kept as reverted, since this event may arrive before the observation that it takes back. */
export const onBurnReverted: CatalogConsumer<typeof burnReverted> = async (burn, { tx, envelope }) => {
  await keepBurn(tx, { ...burn, sequence: envelope.sequence }, true)
}
