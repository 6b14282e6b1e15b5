import type { settlementObserved } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { keepSettlement } from '../store/settlement.repository.ts'

export const onSettlementObserved: CatalogConsumer<typeof settlementObserved> = (settlement, { tx, envelope }) =>
  keepSettlement(tx, settlement, envelope.sequence)
