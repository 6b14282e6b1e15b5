import { chainOf, clientOf } from '@callboard/evm'
import { SECOND_MS, unixSeconds } from '@callboard/values'
import type { Reason } from '@callboard/x402'
import { findUse } from '../../chain/find-use.ts'
import { isUsed } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { attemptsAt } from '../../store/lane.repository.ts'
import { gone, type Move } from '../../store/move.repository.ts'
import type { Payment } from '../../store/tables.ts'
import { movementOf, reachOf, transferOf } from '../payment-terms.ts'
import type { VerifiedFacts } from '../proofs/verified-facts.ts'
import { countSearch } from '../search-rate.ts'
import { recordSettled } from './record-settled.ts'
import type { StepCache } from './step.ts'

/** How long to search for a use that the token counts and no node shows: nodes lag behind each other. */
const UNSEEN_MS = 30 * SECOND_MS
/** Blocks to search again then: a use that a node shows late is recent. */
const RECENT_BLOCKS = 1

/**
 * Asks the chain whether it would accept a claimed payment. A used authorization counts as paid if it moved exactly
 * this money: a third party was faster. While no node shows its use, the outcome is unknown; after half a minute, or
 * where its window ended before that, the use must be older than the search reaches.
 * @returns the findings, or the payment with its outcome where the token would not accept it; undefined if unknown
 * @throws ChainUnavailable, PaymentMoved, GasBudgetSpent
 */
export async function verify(
  ctx: FacilitatorContext,
  row: Payment,
  cache: StepCache,
): Promise<VerifiedFacts | { concluded: Payment } | undefined> {
  const chain = chainOf(ctx.resources.chains, row.network)
  const client = clientOf(ctx.resources.clients, row.network)
  const transfer = transferOf(row, chain)
  const askedAt = performance.now()
  const { verdict, ...facts } = await ctx.resources.batcher.ask({ transfer, suffix: row.suffix })
  // Its use within a batch of reads changes the later ones: the money is gone, and the authorization was seen unused.
  if (facts.authorizationUsed || (!verdict.ok && (await isUsed(client, row.network, movementOf(row))))) {
    if (cache.searchedAt === undefined && !(await wasShown(ctx, row))) await countSearch(ctx, row)
    const use = await findUse(
      client,
      row.network,
      movementOf(row),
      cache.searchedAt !== undefined ? RECENT_BLOCKS : reachOf(row, chain, ctx.clock.now()),
    )
    if (use?.kind === 'ours') {
      // It may be our own, which a late node did not show while its chain nonce counted as lost.
      const attempts = await attemptsAt(ctx.db, row.key)
      const isForeign = !attempts.includes(use.transaction.hash)
      return { concluded: await recordSettled(ctx, { row, ...use, isForeign }) }
    }
    cache.searchedAt ??= performance.now()
    if (!use && mayShowLater(row, ctx.clock.now())) return undefined
    return refusePayment(ctx, row, 'invalid_exact_evm_nonce_already_used')
  }
  const now = BigInt(unixSeconds(ctx.clock.now()))
  // The token accepts it only before the end of its window, and the next block may come that late.
  const nextBlock = now + BigInt(Math.ceil(chain.blockTimeMs / SECOND_MS))
  if (nextBlock >= BigInt(row.valid_before)) {
    return refusePayment(ctx, row, 'invalid_exact_evm_payload_authorization_valid_before')
  }
  if (now < BigInt(row.valid_after)) {
    return refusePayment(ctx, row, 'invalid_exact_evm_payload_authorization_valid_after')
  }
  if (!verdict.ok) return refusePayment(ctx, row, verdict.reason)
  const { balance, hasCode, batchable, sender } = facts
  return { balance, hasCode, batchable, sender, askedAt }
}

/** Whether nodes may still be behind the block in which an authorization was used: it was used within its window. */
const mayShowLater = ({ updated_at, valid_before }: Payment, now: number): boolean =>
  now < UNSEEN_MS + Math.min(updated_at.getTime(), Number(valid_before) * SECOND_MS)

/**
 * Refuses a payment for which nothing was signed; it may be presented again. One that a transaction has shown has not
 * failed while its window is open. Its payer is not at fault for that transaction, so it is not waste.
 */
async function refusePayment(ctx: FacilitatorContext, row: Payment, reason: Reason): Promise<{ concluded: Payment }> {
  const move = (await wasShown(ctx, row))
    ? { events: ['refused_shown'] as const, facts: { reason, exposure: 0 } }
    : { events: ['refused'] as const, facts: { reason } }
  const concluded = await moveInBatch(ctx, { seen: row, ...move })
  ctx.resources.meters.outcomes.inc({ network: row.network, outcome: reason })
  return { concluded }
}

/** Whether a transaction, ours or a third party's, ever carried the authorization. */
const wasShown = async ({ db }: FacilitatorContext, { key, announced_tx }: Payment): Promise<boolean> =>
  announced_tx !== null || (await attemptsAt(db, key)).length > 0

/** Moves a payment, in one statement with all that move now. @throws PaymentMoved */
export const moveInBatch = async (ctx: FacilitatorContext, move: Move): Promise<Payment> =>
  (await ctx.resources.batcher.move(move)) ?? gone(move.seen)
