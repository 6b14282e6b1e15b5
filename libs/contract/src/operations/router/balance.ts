import { SettleResponse } from '@callboard/x402'
import { z } from 'zod'
import { operation } from '../../operation.ts'
import {
  gasBudgetSpent,
  invalidRequest,
  ownerRequired,
  paymentConflict,
  paymentRequired,
  settlementPending,
  unavailable,
} from '../../refusals.ts'
import { Address } from '../../schemas/words.ts'

/** The amounts in which a balance can be bought, in USD. */
export const TOP_UP_USD = [1, 5, 20, 50] as const

/** Credits the owner whose credential it is, regardless of who pays. */
export const topUp = operation({
  id: 'router.topUp',
  summary: 'Buy Router balance with an exact USDC payment; it is credited once to the signed-in owner',
  timeoutMs: 80_000,
  http: {
    method: 'POST',
    path: '/api/router/top-up/:amount',
    auth: 'owner',
    limit: 'payment',
    ok: 200,
    paid: true,
    pricedBy: 'amount',
    stability: 'beta',
  },
  input: z.strictObject({ amount: z.enum(['1', '5', '20', '50']) }),
  output: z.object({
    result: z.object({ status: z.literal('accepted'), usd: z.number(), owner: Address }),
    settlement: SettleResponse,
  }),
  errors: [
    invalidRequest,
    ownerRequired,
    paymentRequired,
    paymentConflict,
    gasBudgetSpent,
    settlementPending,
    unavailable,
  ],
})
