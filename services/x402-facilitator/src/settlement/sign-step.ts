import { gone } from '../store/move.repository.ts'
import { passing } from './moments.ts'
import type { Step } from './steps.ts'
import { moveTogether, verify } from './verify-step.ts'

/** Facts that were asked for longer ago are asked for again. A payer who moves his money within it costs us gas, never money. */
const FACTS_HOLD_MS = 500

/**
 * Verifies a claimed payment, and has its transaction signed and stored. While every account is busy it waits with those
 * that will share the next one. What the payer's other unfinished payments will move is counted as gone already; where
 * the balance does not reach for all of them, this one waits for theirs and is verified again.
 */
export const sign: Step = async (kit, row, memo) => {
  const isFresh = memo.facts && performance.now() - memo.facts.askedAt <= FACTS_HOLD_MS
  const seen = isFresh && memo.facts ? memo.facts : await verify(kit, row)
  if ('concluded' in seen) return seen.concluded
  memo.facts = seen
  passing('verified', 1)
  const outcome = await kit.parts.joint.sign({ row, ...seen })
  if (outcome === 'moved') return gone(row)
  if (outcome === 'payer_busy') memo.facts = undefined
  if (typeof outcome !== 'string') return outcome
  return row.state === 'claimed' ? moveTogether(kit, { seen: row, events: ['approved'] }) : undefined
}
