import type { router } from '@callboard/contract'
import { z } from 'zod'

const Text = z.string().max(64)

/** @source Coinbase Developer Platform v2, `POST /platform/v2/onramp/sessions` */
const Answer = z.object({
  session: z.object({ onrampUrl: z.url({ protocol: /^https$/ }).max(4_096) }),
  quote: z
    .object({
      ...{ paymentTotal: Text, paymentCurrency: Text, purchaseAmount: Text, purchaseCurrency: Text },
      fees: z.array(z.object({ type: Text, amount: Text, currency: Text })).max(16),
    })
    .optional()
    .catch(undefined),
})

/** The parts of the platform's answer that are shown; undefined if it has no session. An invalid quote is left out. */
export function cdpAnswer(text: string): { onrampUrl: string; quote: router.OnrampQuote | null } | undefined {
  const { data } = Answer.safeParse(jsonIn(text))
  if (!data) return undefined
  const { session, quote } = data
  return {
    onrampUrl: session.onrampUrl,
    quote: quote
      ? {
          total: { amount: quote.paymentTotal, currency: quote.paymentCurrency },
          receives: { amount: quote.purchaseAmount, currency: quote.purchaseCurrency },
          fees: quote.fees,
        }
      : null,
  }
}

const Fault = z.object({ errorType: z.string().regex(/^[a-z_]{1,64}$/) })

/** The platform's name for its refusal; undefined if it gives none that can be shown. */
export const cdpFault = (text: string): string | undefined => Fault.safeParse(jsonIn(text)).data?.errorType

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
