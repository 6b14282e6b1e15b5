import type { RouterContext } from '../context.ts'
import type { Receipt } from '../domain/receipt.ts'

/** The link to a call's receipt, for the headers of every answer: a stream begins before its receipt exists. */
export const receiptLink = (callId: string): Record<string, string> => ({
  link: `</v1/receipts/${callId}>; rel="describedby"; type="application/json"`,
})

/**
 * The receipt itself, for the headers of an answer that is sent after its settlement. A missing receipt does not hold
 * back a paid answer: its client can ask for the receipt.
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
