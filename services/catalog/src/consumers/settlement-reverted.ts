import type { settlementReverted } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { revertSettlement } from '../store/settlement.repository.ts'

export const onSettlementReverted: CatalogConsumer<typeof settlementReverted> = (revert, { tx, envelope }) =>
  revertSettlement(tx, revert, envelope.sequence)
