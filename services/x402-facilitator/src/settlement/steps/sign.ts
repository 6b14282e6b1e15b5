import { unixSeconds } from '@callboard/values'
import { gone } from '../../store/move.repository.ts'
import { settlementFailpoints } from '../failpoints.ts'
import { GasBudgetSpent } from '../gas/gas-budget-spent.ts'
import type { Step } from './step.ts'
import { moveInBatch, verify } from './verify.ts'

/**
 * Facts of a waiting payment are read again when they are older than this. A payer that moves its money within it costs
 * us gas, never money. They serve one signature: they do not tell why its transaction failed.
 */
const FACTS_HOLD_MS = 500

/**
 * A window that opens within this time is waited for: replicas' clocks differ. One further ahead is claimed only where
 * the chain counts its authorization as used, and may lie ahead forever.
 */
const SOON_SECONDS = 5n

/**
 * Verifies a claimed payment, and has its transaction signed and stored. While every account is busy it waits with
 * those that will share the next transaction. What the payer's other unfinished payments will move counts as gone; if
 * the balance does not cover all of them, this one waits for the others and is verified again. If they may burn all the
 * gas allowed to the payer, or to whom it pays, it takes its turn after them.
 * @throws GasBudgetSpent where gas that was burned leaves nothing for this payment
 */
export const sign: Step = async (ctx, row, cache) => {
  // The token accepts it only in a block of a later second.
  const opensInSeconds = BigInt(row.valid_after) - BigInt(unixSeconds(ctx.clock.now()))
  if (opensInSeconds >= 0n && opensInSeconds <= SOON_SECONDS) return undefined
  const isFresh = cache.facts && performance.now() - cache.facts.askedAt <= FACTS_HOLD_MS
  const known = isFresh ? cache.facts : ctx.resources.recentProofs.take(row)
  const seen = known ?? (await verify(ctx, row, cache))
  if (!seen) return undefined
  if ('concluded' in seen) return seen.concluded
  cache.facts = seen
  settlementFailpoints.hit('verified', 1)
  const outcome = await ctx.resources.batcher.sign({ row, ...seen })
  if (outcome === 'moved') return gone(row)
  if (typeof outcome === 'object' && 'spent' in outcome) throw new GasBudgetSpent(outcome)
  if (outcome === 'payer_busy' || typeof outcome !== 'string') cache.facts = undefined
  if (typeof outcome !== 'string') return outcome
  return row.state === 'claimed' ? moveInBatch(ctx, { seen: row, events: ['approved'] }) : undefined
}
