import { router } from '@callboard/contract'
import { PaymentRequired } from '@callboard/x402'
import { expect } from 'vitest'
import { unpaid } from '../expectations/expectations.ts'
import type { Devnet } from '../target.ts'
import { fund, type LocalAccount, newAccount } from './chain.ts'
import type { Answer, Client } from './client.ts'
import { authorize, paymentPayload, type Requirement, toHeader } from './payment.ts'

/** In USD. */
export type Tier = (typeof router.TOP_UP_USD)[number]

export const topUpPath = (usd: number | string): string => `/api/router/top-up/${usd}`

/** The price of a tier on the devnet, by its live offer. */
export async function topUpPrice(owner: Client, { network }: Devnet, usd: Tier): Promise<Requirement> {
  const { accepts } = PaymentRequired.parse(unpaid(router.topUp, await owner.post(topUpPath(usd))))
  const entry = accepts.find((accepted) => accepted.network === network)
  if (!entry) expect.fail(`No balance is sold on ${network}`)
  return entry as unknown as Requirement
}

/** A payment for a tier by a fresh wallet that holds exactly that amount, signed and not yet presented. */
export async function topUpPayment(
  owner: Client,
  devnet: Devnet,
  usd: Tier,
): Promise<{ payer: LocalAccount; payment: string }> {
  const price = await topUpPrice(owner, devnet, usd)
  const payer = newAccount()
  await fund(devnet, payer.address, { usdc: BigInt(price.amount) })
  return { payer, payment: toHeader(paymentPayload(price, await authorize(payer, price))) }
}

/** Buys a tier with a payment: the sender of the request is the owner, regardless of who signed. */
export const topUpWith = (owner: Client, usd: Tier, payment: string): Promise<Answer> =>
  owner.post(topUpPath(usd), undefined, { headers: { 'payment-signature': payment } })
