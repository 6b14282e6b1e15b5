import { BaseUnitsText, ConfirmationReached, Hash32 } from '@callboard/x402'
import { z } from 'zod'
import { event } from '../event.ts'
import { Address, Network, Timestamp } from '../schemas/words.ts'

/** Our facilitator settled a payment; the chain-indexer observes the same settlement on its own. */
export const paymentSettled = event({
  id: 'payment.settled',
  version: 1,
  summary: 'The facilitator settled a payment',
  key: 'nonce',
  data: z.object({
    network: Network,
    asset: Address,
    payer: Address,
    payTo: Address,
    amount: BaseUnitsText,
    nonce: Hash32,
    txHash: Hash32,
    settledAt: Timestamp,
    /** True when another party submitted the authorization first. */
    foreign: z.boolean(),
    resourceUrl: z.string().nullable(),
    /** From which confirmation on it counts for its seller, and which it had reached when this was published. */
    confirmation: ConfirmationReached.optional(),
  }),
})
