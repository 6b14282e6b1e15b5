import type { Address, Caip2, Hex } from '@callboard/values'

/**
 * The identity of an authorization: the token spends a nonce once per payer. The signature is not part of it, because
 * one authorization has several valid signatures.
 */
export interface PaymentIdentity {
  readonly network: Caip2
  readonly asset: Address
  readonly from: Address
  readonly nonce: Hex
}

/** `network/asset/from/nonce`, lower-cased: spent once, bound to one request, with one stored outcome. */
export const paymentKey = ({ network, asset, from, nonce }: PaymentIdentity): string =>
  `${network}/${asset}/${from}/${nonce}`.toLowerCase()
