import { settlementFailpoints } from '../failpoints.ts'
import type { Step } from './step.ts'
import { moveInBatch } from './verify.ts'

/** Records that a node was given the transaction, where the chain has not shown its outcome yet. */
export const noteSent: Step = async (ctx, row) => {
  const sent = await moveInBatch(ctx, { seen: row, events: ['sent'] })
  settlementFailpoints.hit('broadcast', 1)
  return sent
}
