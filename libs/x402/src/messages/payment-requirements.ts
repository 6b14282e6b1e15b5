import { chainIdOf } from '@callboard/values'
import { z } from 'zod'
import { AddressText, BaseUnitsText, Caip2Text } from '../address.ts'
import { nullsAbsent } from './absent.ts'
import { ConfirmationText } from './confirmation.ts'

/**
 * One way to pay, as a third party offers it: any scheme, any chain, with every unknown member except `null` ones.
 * Addresses keep their original text, because a payment must echo the chosen entry unchanged.
 * @source x402 v2, PaymentRequirements
 */
export const PaymentRequirements = nullsAbsent(
  z.looseObject({
    scheme: z.string().min(1).max(64),
    network: Caip2Text,
    /** Base units of the asset. */
    amount: BaseUnitsText,
    asset: z.string().min(1).max(128),
    payTo: z.string().min(1).max(128),
    maxTimeoutSeconds: z.int().positive(),
    extra: nullsAbsent(z.record(z.string(), z.unknown())).optional(),
  }),
)
export type PaymentRequirements = z.output<typeof PaymentRequirements>

/**
 * The `extra` of an EVM `exact` entry: the EIP-712 domain of the token, and how the money moves.
 * Absent `assetTransferMethod` means `eip3009`, absent `paymentFlow` means `authorization`.
 */
export const ExactEvmExtra = z.strictObject({
  name: z.string().min(1).max(128),
  version: z.string().min(1).max(32),
  assetTransferMethod: z.literal('eip3009').optional(),
  paymentFlow: z.enum(['authorization', 'upfront', 'escrow']).optional(),
  /** From which confirmation the seller counts it as paid. Absent: the facilitator's default, in `/supported`. */
  confirmation: ConfirmationText.optional(),
})
export type ExactEvmExtra = z.output<typeof ExactEvmExtra>

/** An EVM network, the only kind whose `exact` payments Callboard settles. */
export const EvmNetworkText = Caip2Text.refine((network) => chainIdOf(network) !== undefined, {
  message: 'must be an eip155 network',
})

/**
 * The requirement Callboard emits and settles: scheme `exact` on an EVM chain by EIP-3009, no other members. Always
 * built from our own configuration, never from what a payment claims to have accepted.
 * @source x402 v2, exact scheme on EVM
 */
export const ExactRequirements = z.strictObject({
  scheme: z.literal('exact'),
  network: EvmNetworkText,
  /** Base units of the asset; `exact` means equal, not "at least". */
  amount: BaseUnitsText,
  asset: AddressText,
  payTo: AddressText,
  maxTimeoutSeconds: z.int().positive(),
  extra: ExactEvmExtra,
})
export type ExactRequirements = z.output<typeof ExactRequirements>
