import { createHash } from 'node:crypto'
import { AddressText, Caip2Text, Hash32, paymentKey } from '@callboard/x402'
import { z } from 'zod'
import type { Tier } from './offers.ts'

/** The parts of a version 2 payment that identify its authorization and amount. */
const Presented = z.object({
  accepted: z.object({ network: Caip2Text, asset: AddressText, amount: z.string() }),
  payload: z.object({ authorization: z.object({ from: AddressText, nonce: Hash32 }) }),
})

/** A payment as presented, unverified; undefined for an unknown form, which the facilitator will refuse. */
export function presentedPayment(payload: Readonly<Record<string, unknown>>) {
  const { data } = Presented.safeParse(payload)
  if (!data) return undefined
  const { accepted, payload: presented } = data
  const { from, nonce } = presented.authorization
  const { network, asset } = accepted
  return { paymentKey: paymentKey({ network, asset, from, nonce }), network, accepted, from }
}

/**
 * Binds a payment's request to the owner whose balance it buys and to the amount: of two owners who present it, one
 * gets it, and the outcome of a payment for one tier is never credited as another.
 */
export const boundTo = (requestFingerprint: string, owner: string, usd: Tier): `0x${string}` =>
  `0x${createHash('sha256').update(`${requestFingerprint}\n${owner.toLowerCase()}\n${usd}`).digest('hex')}`
