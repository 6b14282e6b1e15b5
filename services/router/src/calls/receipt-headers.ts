import type { RouterContext } from '../context.ts'
import type { Receipt } from '../domain/receipt.ts'

/** Where the receipt of a call is, for the head of every answer: a stream begins before there is one. */
export const receiptLink = (callId: string): Record<string, string> => ({
  link: `</v1/receipts/${callId}>; rel="describedby"; type="application/json"`,
})

/**
 * The receipt itself, for the head of an answer that is made after its settlement. None is no reason to keep back an answer
 * that is paid: its client asks for the receipt.
 * @param receipt as `settle` returned it
 */
export async function receiptHeader(
  { resources, log }: Pick<RouterContext, 'resources' | 'log'>,
  receipt: Receipt | undefined,
): Promise<Record<string, string>> {
  if (!receipt) return {}
  try {
    return { 'x-callboard-receipt': await resources.receipts.sign(receipt) }
  } catch (error) {
    log.warn({ err: error }, 'a receipt could not be signed')
    return {}
  }
}
