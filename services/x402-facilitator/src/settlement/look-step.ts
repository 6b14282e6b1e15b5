import { type Chain, chainOf, clientOf } from '@callboard/evm'
import type { Hex } from '@callboard/values'
import type { Reason } from '@callboard/x402'
import type { PublicClient } from 'viem'
import { asking } from '../chain/chain-away.ts'
import { findUse, isForeverUnused, isUsed, type MinedTransaction, readPayerAt } from '../chain/sent-facts.ts'
import { type Event, onceSent } from '../domain/payment-state.ts'
import { paidAt } from '../domain/settlement-log.ts'
import type { FacilitatorKit } from '../kit.ts'
import { attemptsAt, raiseLane } from '../store/lane.repository.ts'
import type { Payment } from '../store/tables.ts'
import { passing } from './moments.ts'
import { movementOf, reachOf } from './payment-terms.ts'
import { recordSettled } from './record-settled.ts'
import type { Step } from './steps.ts'
import { moveTogether } from './verify-step.ts'

/** Blocks a transaction may take before more is asked than its receipt. */
const PATIENCE_BLOCKS = 3
const PATIENCE_MS = 2_000

/**
 * Looks at the chain for what became of a sent payment. In order: our transaction moved the money; somebody else's did;
 * the authorization was used for something else; ours failed; the window is over; another transaction took our nonce.
 *
 * A payment that shares its transaction is judged like one alone, by its own logs: what became of the whole transaction
 * says nothing of one of its legs.
 */
export const look: Step = async (kit, row) => {
  const { network } = row
  const chain = chainOf(kit.parts.chains, network)
  const client = clientOf(kit.parts.clients, network)
  const movement = movementOf(row)
  const isLate = kit.clock.now() - row.updated_at.getTime() > PATIENCE_BLOCKS * chain.blockTimeMs + PATIENCE_MS
  const hashes = isLate || !row.tx_hash ? await attemptsAt(kit.db, row.key) : [row.tx_hash]
  const transaction = await minedOf(kit, row, hashes)
  const logIndex = transaction && paidAt(transaction.uses, movement)
  if (transaction && logIndex !== undefined) {
    return recordSettled(kit, { row, transaction, logIndex, isForeign: false })
  }
  if (!transaction && !isLate) return undefined
  if (await isUsed(client, network, movement)) {
    const use = await findUse(client, network, movement, reachOf(row, chain, kit.clock.now()))
    if (use?.kind === 'ours') {
      const attempts = await attemptsAt(kit.db, row.key)
      return recordSettled(kit, { row, ...use, isForeign: !attempts.includes(use.transaction.hash) })
    }
    return use && conclude(kit, row, 'spent', { reason: 'invalid_exact_evm_nonce_already_used' })
  }
  return transaction ? failed(kit, row, client, transaction) : whyAbsent(kit, row, chain, client)
}

/** Whichever of our transactions for a payment is in a block. */
async function minedOf(kit: FacilitatorKit, { network }: Payment, hashes: readonly Hex[]) {
  const found = await Promise.all(hashes.map((hash) => kit.parts.joint.mined(network, hash)))
  return found.find((one) => one !== undefined)
}

/**
 * Our transaction did not move this money. Where its own block counts the authorization as used, somebody ran ahead, or
 * the node that says so is behind: the next look tells.
 */
async function failed(kit: FacilitatorKit, row: Payment, client: PublicClient, own: MinedTransaction) {
  const { used, balance } = await readPayerAt(client, row.network, movementOf(row), own.blockNumber)
  if (used) return undefined
  const isPoor = balance < BigInt(row.amount)
  const reason = isPoor ? 'invalid_exact_evm_insufficient_balance' : 'invalid_exact_evm_transaction_failed'
  return conclude(kit, row, 'reverted', { reason, block: own })
}

/** Why a transaction is in no block although it should be. The lane's keeper sends it again meanwhile. */
async function whyAbsent(kit: FacilitatorKit, row: Payment, { finalityDepth }: Chain, client: PublicClient) {
  const { network, lane, chain_nonce } = row
  const validBefore = BigInt(row.valid_before)
  if (await isForeverUnused(client, network, movementOf(row), { validBefore, finalityDepth })) {
    return conclude(kit, row, 'expired', { reason: 'invalid_exact_evm_payload_authorization_valid_before' })
  }
  if (!lane || chain_nonce === null) throw new Error(`payment ${row.key} was sent and has no lane`)
  const consumed = await asking(network, client.getTransactionCount({ address: lane, blockTag: 'latest' }))
  if (consumed <= chain_nonce) return undefined
  // The nonce is gone. Only when there is still no receipt was it gone to somebody else.
  if (await minedOf(kit, row, await attemptsAt(kit.db, row.key))) return undefined
  if (await isUsed(client, network, movementOf(row))) return undefined
  kit.log.error({ network, lane, chainNonce: chain_nonce }, 'a chain nonce of ours was used by another transaction')
  await raiseLane(kit.db, network, lane, consumed)
  const free = { lane: null, chain_nonce: null, tx_hash: null }
  const displaced = await moveTogether(kit, { seen: row, events: onceSent(row.state, 'displaced'), facts: free })
  passing('displaced', 1)
  return displaced
}

async function conclude(
  kit: FacilitatorKit,
  row: Payment,
  event: Extract<Event, 'spent' | 'reverted' | 'expired'>,
  { reason, block }: { reason: Reason; block?: MinedTransaction },
): Promise<Payment> {
  const stands = block ? { settled_tx: block.hash, block_number: block.blockNumber, block_hash: block.blockHash } : {}
  const concluded = await moveTogether(kit, {
    seen: row,
    events: onceSent(row.state, event),
    facts: { reason, ...stands },
  })
  passing('concluded', 1)
  kit.parts.meters.outcomes.inc({ network: row.network, outcome: reason })
  return concluded
}
