import type { burnObserved } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepBurn } from '../store/ledger/burn.repository.ts'

export const onBurnObserved: CatalogConsumer<typeof burnObserved> = async (burn, { tx, envelope }) => {
  await keepBurn(tx, { ...burn, sequence: envelope.sequence }, false)
}
