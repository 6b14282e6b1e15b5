import { z } from 'zod'
import { event } from '../event.ts'
import { ObservedSettlement } from '../schemas/settlement.ts'

export const settlementObserved = event({
  id: 'settlement.observed',
  version: 1,
  summary: 'A settlement was included in a block of a followed chain',
  key: 'txHash',
  data: ObservedSettlement,
})

/** History is observed before its transactions are read; who brought a settlement follows in this event. */
export const settlementAttributed = event({
  id: 'settlement.attributed',
  version: 1,
  summary: 'The facilitator and builder codes of settlements that were observed without them',
  key: 'txHash',
  data: z.object({
    network: ObservedSettlement.shape.network,
    txHash: ObservedSettlement.shape.txHash,
    /** The sender of the transaction. */
    facilitator: ObservedSettlement.shape.payer,
    builderCodes: ObservedSettlement.shape.builderCodes.unwrap(),
  }),
})

/** A reorganisation took the settlement's block out of the chain; it may come back in another. */
export const settlementReverted = event({
  id: 'settlement.reverted',
  version: 1,
  summary: 'A settlement’s block left the chain',
  key: 'txHash',
  data: z.object({
    network: ObservedSettlement.shape.network,
    txHash: ObservedSettlement.shape.txHash,
    logIndex: ObservedSettlement.shape.logIndex,
    blockHash: ObservedSettlement.shape.blockHash,
  }),
})
