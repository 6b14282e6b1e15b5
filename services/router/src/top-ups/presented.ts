import { createHash } from 'node:crypto'
import { AddressText, Caip2Text, Hash32, paymentKey } from '@callboard/x402'
import { z } from 'zod'
import type { Tier } from './offers.ts'

/** What of a version 2 payment says which authorization it is, and what it pays. */
const Presented = z.object({
  accepted: z.object({ network: Caip2Text, asset: AddressText, amount: z.string() }),
  payload: z.object({ authorization: z.object({ from: AddressText, nonce: Hash32 }) }),
})

/** A payment as it is presented, unproved; undefined when it is none that we know, and the facilitator will refuse it. */
export function presentedPayment(payload: Readonly<Record<string, unknown>>) {
  const { data } = Presented.safeParse(payload)
  if (!data) return undefined
  const { accepted, payload: presented } = data
  const { from, nonce } = presented.authorization
  const { network, asset } = accepted
  return { paymentKey: paymentKey({ network, asset, from, nonce }), network, accepted, from }
}

/**
 * A payment's request, the owner whose balance it buys, and for how much: of two owners who present one, one has it, and what a payment of
 * one tier came to is never credited as another one.
 */
export const boundTo = (requestFingerprint: string, owner: string, usd: Tier): `0x${string}` =>
  `0x${createHash('sha256').update(`${requestFingerprint}\n${owner.toLowerCase()}\n${usd}`).digest('hex')}`
