import { z } from 'zod'
import { AddressText, BaseUnitsText } from '../address.ts'
import { Extensions } from './payment-required.ts'

const extra = z.record(z.string(), z.unknown())

/**
 * The facilitator's verdict on a payment that has not been sent to a chain yet.
 * @source x402 v2, VerifyResponse
 */
export const VerifyResponse = z.object({
  isValid: z.boolean(),
  /** One of `reasons.ts` when it is ours; any text from others. */
  invalidReason: z.string().optional(),
  invalidMessage: z.string().optional(),
  payer: AddressText.optional(),
  extensions: Extensions.optional(),
  extra: extra.optional(),
})
export type VerifyResponse = z.output<typeof VerifyResponse>

/**
 * The outcome of a settlement, and the evidence that a paid response carries. `settlement_pending` with a transaction
 * hash means "not known yet", which is not a failure to pay.
 * @source x402 v2, SettleResponse; header `PAYMENT-RESPONSE`
 */
export const SettleResponse = z.object({
  success: z.boolean(),
  errorReason: z.string().optional(),
  errorMessage: z.string().optional(),
  /** An address in the network's own format; EIP-55 for EVM networks. */
  payer: z.string().optional(),
  /** Transaction hash; empty when nothing was sent. */
  transaction: z.string(),
  /** CAIP-2 in version 2, a network name in version 1. */
  network: z.string(),
  amount: BaseUnitsText.optional(),
  extensions: Extensions.optional(),
  extra: extra.optional(),
})
export type SettleResponse = z.output<typeof SettleResponse>
