import { type Chain, chainOf, clientOf } from '@callboard/evm'
import type { Reason } from '@callboard/x402'
import type { PublicClient } from 'viem'
import { asking } from '../chain/chain-away.ts'
import { findUse, isForeverUnused, type MinedTransaction, readPayerAt, readReceipts } from '../chain/sent-facts.ts'
import type { Event } from '../domain/payment-state.ts'
import { holdsMovement } from '../domain/settlement-log.ts'
import type { FacilitatorKit } from '../kit.ts'
import { attemptsAt, raiseLane } from '../store/lane.repository.ts'
import { movePayment } from '../store/payment.repository.ts'
import type { Payment } from '../store/tables.ts'
import { movementOf, reachOf } from './payment-terms.ts'
import { recordSettled } from './record-settled.ts'
import type { Step } from './steps.ts'

/** Blocks a transaction may take before more is asked than its receipt. */
const PATIENCE_BLOCKS = 3
const PATIENCE_MS = 2_000

/**
 * Looks at the chain for what became of a sent payment. In order: our transaction moved the money; somebody else's did;
 * the authorization was used for something else; ours failed; the window is over; another transaction took our nonce.
 */
export const look: Step = async (kit, row) => {
  const { network } = row
  const chain = chainOf(kit.parts.chains, network)
  const client = clientOf(kit.parts.clients, network)
  const movement = movementOf(row)
  const isLate = kit.clock.now() - row.updated_at.getTime() > PATIENCE_BLOCKS * chain.blockTimeMs + PATIENCE_MS
  const hashes = isLate || !row.tx_hash ? await attemptsAt(kit.db, row.key) : [row.tx_hash]
  const { own, used } = await readReceipts(client, network, movement, hashes)

  if (own?.succeeded && holdsMovement(own.logs, movement)) return recordSettled(kit, row, own, false)
  if (used) {
    const use = await findUse(client, network, movement, reachOf(row, chain, kit.clock.now()))
    if (use?.kind === 'ours') {
      const attempts = await attemptsAt(kit.db, row.key)
      return recordSettled(kit, row, use.transaction, !attempts.includes(use.transaction.hash))
    }
    return use && conclude(kit, row, 'spent', { reason: 'invalid_exact_evm_nonce_already_used' })
  }
  // A node that shows our success and not yet its effect is asked again.
  if (own) return own.succeeded ? undefined : failed(kit, row, client, own)
  return isLate ? whyAbsent(kit, row, chain, client) : undefined
}

/** Our transaction failed. Where its own block counts the authorization as used, somebody ran ahead: the next look tells. */
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
  const { own, used } = await readReceipts(client, network, movementOf(row), await attemptsAt(kit.db, row.key))
  if (own || used) return undefined
  kit.log.error({ network, lane, chainNonce: chain_nonce }, 'a chain nonce of ours was used by another transaction')
  await raiseLane(kit.db, network, lane, consumed)
  return movePayment(kit.db, row, 'displaced', {
    facts: { lane: null, chain_nonce: null, tx_hash: null },
    now: new Date(kit.clock.now()),
  })
}

async function conclude(
  kit: FacilitatorKit,
  row: Payment,
  event: Extract<Event, 'spent' | 'reverted' | 'expired'>,
  { reason, block }: { reason: Reason; block?: MinedTransaction },
): Promise<Payment> {
  const stands = block ? { settled_tx: block.hash, block_number: block.blockNumber, block_hash: block.blockHash } : {}
  const now = new Date(kit.clock.now())
  const concluded = await movePayment(kit.db, row, event, { facts: { reason, ...stands }, now })
  kit.parts.meters.outcomes.inc({ network: row.network, outcome: reason })
  return concluded
}
