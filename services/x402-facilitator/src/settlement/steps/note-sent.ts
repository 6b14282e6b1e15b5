import { settlementFailpoints } from '../failpoints.ts'
import type { Step } from './step.ts'
import { moveInBatch } from './verify.ts'

/** Writes down that a node was handed the transaction, where the chain has not said by now what became of it. */
export const noteSent: Step = async (ctx, row) => {
  const sent = await moveInBatch(ctx, { seen: row, events: ['sent'] })
  settlementFailpoints.hit('broadcast', 1)
  return sent
}
