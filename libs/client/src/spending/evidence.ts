import { decodePaymentResponseHeader } from '@x402/fetch'
import { z } from 'zod'

const LONGEST_REASON = 200

const Reason = z
  .string()
  .min(1)
  .transform((text) => text.slice(0, LONGEST_REASON))

/** What a seller says of a payment. Any JSON may stand in its header; what has another type counts as not said. */
const Evidence = z.object({
  success: z.boolean(),
  transaction: z.string().min(1).max(128).optional().catch(undefined),
  errorReason: Reason.optional().catch(undefined),
})

const headerOf = ({ headers }: Response) => headers.get('payment-response') ?? headers.get('x-payment-response')

export const hasEvidence = (answer: Response): boolean => headerOf(answer) !== null

/** The evidence in an answer; without `success` if there is none, or none that can be read. */
export function evidenceIn(answer: Response): Partial<z.output<typeof Evidence>> {
  const header = headerOf(answer)
  if (header === null) return {}
  try {
    return Evidence.parse(decodePaymentResponseHeader(header))
  } catch {
    return {}
  }
}

/** Returns what a second 402 says was wrong with the payment. */
export async function errorIn(answer: Response): Promise<string | undefined> {
  const header = answer.headers.get('payment-required')
  try {
    const text = header === null ? await answer.text() : Buffer.from(header, 'base64').toString()
    return z.object({ error: Reason }).parse(JSON.parse(text)).error
  } catch {
    return undefined
  }
}
