import { type Chain, chainOf, clientOf } from '@callboard/evm'
import type { Hex } from '@callboard/values'
import type { PublicClient } from 'viem'
import { countOfLane } from '../../chain/lane-count.ts'
import {
  isForeverUnused,
  isIncluded,
  isUsed,
  type MinedTransaction,
  readPayerAt,
  type SentTransaction,
} from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { onceSent } from '../../domain/payment-state.ts'
import { paidAt } from '../../domain/settlement-log.ts'
import { attemptsAt, raiseLane } from '../../store/lane.repository.ts'
import type { Payment } from '../../store/tables.ts'
import { settlementFailpoints } from '../failpoints.ts'
import { accountOwnFailure } from '../gas/account-gas.ts'
import { movementOf, onItsWay } from '../payment-terms.ts'
import { overdueMs } from '../runner/overdue.ts'
import { conclude } from './conclude.ts'
import { recordPreconfirmed, takesPreconfirmation } from './record-preconfirmed.ts'
import { recordSettled } from './record-settled.ts'
import { recordUse } from './record-use.ts'
import type { Step, StepCache } from './step.ts'
import { moveInBatch } from './verify.ts'

/**
 * Reads the outcome of a sent payment from the chain. In order: our transaction moved the money; a third party's did;
 * the authorization was used for something else; ours failed; the window is over; another transaction took our nonce.
 *
 * A payment that shares its transaction is judged like one alone, by its own logs: the outcome of the whole transaction
 * does not decide that of its legs.
 */
export const confirm: Step = async (ctx, row, cache) => {
  const { network } = row
  const chain = chainOf(ctx.resources.chains, network)
  const client = clientOf(ctx.resources.clients, network)
  const movement = movementOf(row)
  const isLate = overdueMs(onItsWay(ctx, row)) > 0
  const sent = pushedFor(row, cache) ?? (await sentOf(ctx, row, await hashesOf(ctx, row, isLate)))
  if (sent && !isIncluded(sent)) {
    const logIndex = takesPreconfirmation(row) ? paidAt(sent.uses, movement) : undefined
    if (logIndex !== undefined) return recordPreconfirmed(ctx, row, sent, logIndex)
  }
  const transaction = isIncluded(sent) ? sent : undefined
  const logIndex = transaction && paidAt(transaction.uses, movement)
  if (transaction && logIndex !== undefined) {
    return recordSettled(ctx, { row, transaction, logIndex, isForeign: false })
  }
  if (!transaction && !isLate) return undefined
  if (await isUsed(client, network, movement)) return recordUse(ctx, row, transaction)
  return transaction ? failed(ctx, row, client, transaction) : whyAbsent(ctx, row, chain, client)
}

/** Its place in its account's queue. A transaction at an earlier place was judged when the payment left that place. */
const slotOf = ({ lane, chain_nonce }: Payment) => (lane && chain_nonce !== null ? { lane, chain_nonce } : undefined)

/** The receipt that a node pushed for the payment's transaction, if it counts for the payment. */
function pushedFor(row: Payment, { transaction, preconfirmed }: StepCache): SentTransaction | undefined {
  if (transaction?.hash === row.tx_hash) return transaction
  if (!preconfirmed || preconfirmed.hash !== row.tx_hash || !takesPreconfirmation(row)) return undefined
  const pays = paidAt(preconfirmed.uses, movementOf(row)) !== undefined
  return pays ? { ...preconfirmed, isIncluded: false } : undefined
}

/** The newest transaction of a payment; once it is late, all that were signed for its nonce. */
const hashesOf = async (ctx: FacilitatorContext, row: Payment, isLate: boolean): Promise<Hex[]> =>
  isLate || !row.tx_hash ? attemptsAt(ctx.db, row.key, slotOf(row)) : [row.tx_hash]

/** Finds any of our transactions for a payment that has a receipt, preferring one in a block of the chain. */
async function sentOf(ctx: FacilitatorContext, { network }: Payment, hashes: readonly Hex[]) {
  const found = await Promise.all(hashes.map((hash) => ctx.resources.batcher.sent(network, hash)))
  return found.find(isIncluded) ?? found.find((one) => one !== undefined)
}

/**
 * Handles our transaction that did not move this money. If its own block counts the authorization as used, a third
 * party was faster, or the node was behind: the next poll shows it.
 */
async function failed(ctx: FacilitatorContext, row: Payment, client: PublicClient, own: MinedTransaction) {
  const { used, balance, paused } = await readPayerAt(client, row.network, movementOf(row), own.blockNumber)
  if (used) return undefined
  const cause = ownFault(own, chainOf(ctx.resources.chains, row.network), paused)
  if (cause) return retry(ctx, row, own, cause)
  const isPoor = balance < BigInt(row.amount)
  const reason = isPoor ? 'invalid_exact_evm_insufficient_balance' : 'invalid_exact_evm_transaction_failed'
  return conclude(ctx, row, 'reverted', { reason, gasUsed: own.gasUsed, block: own })
}

/**
 * Why a transaction failed that the payer could not help: a leg cannot make its batch fail, so a batch that failed as a
 * whole got too little gas from us; and a paused token accepts no transfer.
 */
function ownFault({ to, succeeded }: MinedTransaction, { settlementBatch }: Chain, paused: boolean) {
  if (paused) return 'token_paused'
  return !succeeded && to !== null && to === settlementBatch ? 'batch_failed' : undefined
}

/** Returns a payment to `verified`. It keeps its transaction's hash, which marks it to go alone next time. */
async function retry(
  ctx: FacilitatorContext,
  row: Payment,
  own: MinedTransaction,
  cause: 'token_paused' | 'batch_failed',
) {
  const { network } = row
  ctx.log.error({ network, key: row.key, hash: own.hash, cause }, 'a settlement failed by no fault of its payer')
  ctx.resources.meters.ownFailures.inc({ network, cause })
  const freed = { lane: null, chain_nonce: null }
  const retried = await moveInBatch(ctx, { seen: row, events: onceSent(row.state, 'retried'), facts: freed })
  await accountOwnFailure(ctx, row, own.gasUsed)
  settlementFailpoints.hit('displaced', 1)
  return retried
}

/** Finds why a transaction is in no block although it should be. Meanwhile `rebroadcast-stuck` sends it again. */
async function whyAbsent(ctx: FacilitatorContext, row: Payment, { finalityDepth }: Chain, client: PublicClient) {
  const { network, lane, chain_nonce } = row
  const validBefore = BigInt(row.valid_before)
  if (await isForeverUnused(client, network, movementOf(row), { validBefore, finalityDepth })) {
    return conclude(ctx, row, 'expired', { reason: 'invalid_exact_evm_payload_authorization_valid_before' })
  }
  if (!lane || chain_nonce === null) throw new Error(`payment ${row.key} was sent and has no lane`)
  const consumed = await countOfLane(client, network, { address: lane, blockTag: 'latest', known: chain_nonce })
  if (consumed <= chain_nonce) return undefined
  // The nonce is consumed. Another transaction took it only if there is still no receipt.
  if (await sentOf(ctx, row, await attemptsAt(ctx.db, row.key, slotOf(row)))) return undefined
  if (await isUsed(client, network, movementOf(row))) return undefined
  ctx.log.error({ network, lane, chainNonce: chain_nonce }, 'a chain nonce of ours was used by another transaction')
  await raiseLane(ctx.db, network, lane, consumed)
  const free = { lane: null, chain_nonce: null, tx_hash: null }
  const displaced = await moveInBatch(ctx, { seen: row, events: onceSent(row.state, 'displaced'), facts: free })
  settlementFailpoints.hit('displaced', 1)
  return displaced
}
