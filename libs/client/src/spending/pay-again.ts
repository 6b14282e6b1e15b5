import { asking, PAYMENT_HEADER } from './asking.ts'
import type { Presented } from './entry.ts'
import { OutcomeUnknown } from './errors.ts'
import type { Ledger } from './ledger.ts'
import { concluded, type Paid, recorded } from './paid.ts'

/**
 * Presents a payment again whose outcome an earlier call did not learn. It is the same signature, which moves money
 * once at most.
 * @throws OutcomeUnknown
 */
export async function payAgain(ledger: Ledger, open: Presented, url: string, init: RequestInit): Promise<Paid> {
  const { id, network, payTo, presented } = open
  const request = new Request(url, init)
  request.headers.set(PAYMENT_HEADER, presented)
  let answer: Response
  try {
    answer = await asking({})(request)
  } catch (error) {
    await recorded(ledger.conclude(id, 'unknown'))
    const message = 'The payment was presented again, but no answer came. The same call presents it once more.'
    throw new OutcomeUnknown(message, { repeatable: true, cause: error })
  }
  return concluded(
    ledger,
    { id, network, payTo, amount: BigInt(open.amount), repeated: true },
    { answer, isKept: true },
  )
}
