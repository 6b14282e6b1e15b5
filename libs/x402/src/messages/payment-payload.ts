import { z } from 'zod'
import { AddressText, BaseUnitsText, Hash32, HexText, UnixSecondsText } from '../address.ts'
import { nullsAbsent } from './absent.ts'
import { Extensions, Resource } from './payment-required.ts'
import { PaymentRequirements } from './payment-requirements.ts'

/**
 * The signed order to move money: from whom, to whom, how much, when, once.
 * @source EIP-3009, TransferWithAuthorization
 */
export const Authorization = z.strictObject({
  from: AddressText,
  to: AddressText,
  /** Base units of the token. */
  value: BaseUnitsText,
  /** Unix seconds; the token requires `now > validAfter`. */
  validAfter: UnixSecondsText,
  /** Unix seconds; the token requires `now < validBefore`. */
  validBefore: UnixSecondsText,
  /** Any 32 bytes the payer has not used before. */
  nonce: Hash32,
})
export type Authorization = z.output<typeof Authorization>

/** The `payload` of an EVM `exact` payment by EIP-3009. A contract wallet's signature can have any length. */
export const Eip3009Payload = z.strictObject({ signature: HexText, authorization: Authorization })
export type Eip3009Payload = z.output<typeof Eip3009Payload>

const paymentPayload = <Payload extends z.ZodType>(payload: Payload) =>
  nullsAbsent(
    z.looseObject({
      x402Version: z.literal(2),
      resource: Resource.optional(),
      /** The chosen entry of `accepts`, unchanged. A claim: the requirement is rebuilt from our own configuration. */
      accepted: PaymentRequirements,
      payload: nullsAbsent(payload),
      extensions: nullsAbsent(Extensions).optional(),
    }),
  )

/**
 * A version 2 payment of the kind Callboard settles.
 * @source x402 v2, PaymentPayload; header `PAYMENT-SIGNATURE`
 */
export const PaymentPayload = paymentPayload(Eip3009Payload)
export type PaymentPayload = z.output<typeof PaymentPayload>

/** A version 2 payment of any scheme and chain, so that a foreign one is refused with a reason, not as malformed. */
export const AnyPaymentPayload = paymentPayload(z.record(z.string(), z.unknown()))
export type AnyPaymentPayload = z.output<typeof AnyPaymentPayload>
