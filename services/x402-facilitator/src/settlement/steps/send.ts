import { settlementFailpoints } from '../failpoints.ts'
import { takesPreconfirmation } from './record-preconfirmed.ts'
import type { Step } from './step.ts'

/**
 * Hands the stored transaction of a signed payment to a node, and waits for its receipt until the network's next beat: a
 * node that has EIP-7966 answers with it. Doing it twice is doing it once. What became of the transaction is judged by the
 * step that follows, whatever the node said.
 */
export const send: Step = async ({ resources }, row, cache) => {
  const submission = resources.submissions.of(row)
  const included = submission.included.then((transaction) => {
    if (transaction) cache.transaction = transaction
    return transaction ?? never()
  })
  const preconfirmed = submission.answered.then((transaction) => {
    if (transaction) cache.preconfirmed = transaction
    return transaction ?? never()
  })
  cache.pushed = takesPreconfirmation(row) ? Promise.race([included, preconfirmed]) : included
  await Promise.race([cache.pushed, resources.polls.next(row.network)])
  submission.once(() => settlementFailpoints.hit('sent', row.legs ?? 1))
  return undefined
}

/** Of a node that says nothing more of a transaction: the next beat shows what became of it. */
const never = () => new Promise<never>(() => {})
