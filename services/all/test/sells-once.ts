import { authorize, fromHeader, paymentPayload, type Requirement, toHeader } from '@callboard/conformance'
import type { LocalAccount } from 'viem'
import { expect } from 'vitest'

/** One payment buys one answer, however many requests present it at once. */
export async function sellsOnce(url: string, buyer: LocalAccount): Promise<void> {
  const offer = fromHeader((await fetch(url)).headers.get('payment-required')) as { accepts: [Requirement] }
  const [terms] = offer.accepts
  const headers = { 'payment-signature': toHeader(paymentPayload(terms, await authorize(buyer, terms))) }
  const answers = await Promise.all(Array.from({ length: 6 }, () => fetch(url, { headers })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 402, 402, 402, 402, 402])
}
