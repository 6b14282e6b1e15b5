import { settlementFailpoints } from '../failpoints.ts'
import { takesPreconfirmation } from './record-preconfirmed.ts'
import type { Step } from './step.ts'

/**
 * Sends the stored transaction of a signed payment to a node, and waits for its receipt until the network's next poll:
 * a node with EIP-7966 answers with it. It is idempotent. The step that follows judges the transaction's outcome,
 * regardless of the node's answer.
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

/** For a node that reports nothing more on a transaction: the next poll finds its outcome. */
const never = () => new Promise<never>(() => {})
