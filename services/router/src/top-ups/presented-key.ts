import { AddressText, Caip2Text, Hash32, paymentKey } from '@callboard/x402'
import { z } from 'zod'

/** What of a version 2 payment says which authorization it is. */
const Presented = z.object({
  accepted: z.object({ network: Caip2Text, asset: AddressText }),
  payload: z.object({ authorization: z.object({ from: AddressText, nonce: Hash32 }) }),
})

/** The key and the network of a payment as it is presented; undefined when it has none, and the facilitator will refuse it. */
export function presentedKey(payload: Readonly<Record<string, unknown>>) {
  const { data } = Presented.safeParse(payload)
  if (!data) return undefined
  const { accepted, payload: presented } = data
  return { paymentKey: paymentKey({ ...accepted, ...presented.authorization }), network: accepted.network }
}
