import { type Chain, chainOf, clientOf } from '@callboard/evm'
import { every } from '@callboard/runtime'
import { type Address, SECOND_MS } from '@callboard/values'
import { parseTransaction } from 'viem'
import { asking } from '../chain/chain-away.ts'
import { signCall } from '../chain/signing.ts'
import { replacementFees } from '../domain/fees.ts'
import type { FacilitatorKit } from '../kit.ts'
import { passing } from '../settlement/moments.ts'
import { sendAgain } from '../settlement/send-step.ts'
import { keepLane, openSlots, replaceTransaction } from '../store/lane.repository.ts'
import type { LaneTransaction } from '../store/tables.ts'

/** How long one process looks after a lane before another one may. */
const TURN_SECONDS = 2
/** Open chain nonces looked at per lane and round. */
const AT_ONCE = 200

/**
 * Sees to it that every chain nonce that was handed out is consumed, also where its payment is settled or lost already:
 * one missing transaction would hold up all later ones of its account. Stored transactions are sent again; the one at
 * the head of the queue is replaced by a dearer one with the same nonce and the same calldata, so it cannot pay twice.
 */
export const keepLanes = every<FacilitatorKit>('keep-lanes', SECOND_MS, async (kit) => {
  const lanes = [...kit.parts.chains.values()].flatMap((chain) =>
    [...kit.parts.keys.keys()].map((lane) => keep(kit, chain, lane)),
  )
  for (const round of await Promise.allSettled(lanes)) {
    if (round.status === 'rejected') kit.log.warn({ err: round.reason }, 'a signing account was not looked after')
  }
})

async function keep(kit: FacilitatorKit, { network }: Chain, lane: Address): Promise<void> {
  if (!(await keepLane(kit.db, network, lane, TURN_SECONDS))) return
  const client = clientOf(kit.parts.clients, network)
  const consumed = await asking(network, client.getTransactionCount({ address: lane, blockTag: 'latest' }))
  const now = kit.clock.now()
  for (const slot of await openSlots(kit.db, network, lane, consumed, AT_ONCE)) {
    const isHead = slot.chain_nonce === consumed
    const replacement = isHead && isDue(slot.created_at, now, kit.config.REPRICE_AFTER_MS)
    if (replacement && (await reprice(kit, slot))) continue
    if (!isDue(slot.sent_at ?? slot.created_at, now, kit.config.RESEND_AFTER_MS)) continue
    kit.parts.meters.resent.inc({ network })
    await sendAgain(kit, [slot])
  }
}

const isDue = (since: Date, now: number, afterMs: number) => now - since.getTime() >= afterMs

/** @returns false when the fees cannot rise any further */
async function reprice(kit: FacilitatorKit, stuck: LaneTransaction): Promise<boolean> {
  const { network, lane, chain_nonce } = stuck
  const chain = chainOf(kit.parts.chains, network)
  const { to, data, gas, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(stuck.raw as `0x02${string}`)
  if (!to || !data || !gas || !maxFeePerGas) throw new Error(`the stored transaction ${stuck.hash} is not one of ours`)
  const fees = replacementFees(
    { maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n },
    await kit.parts.fees.terms(network),
    kit.parts.feeCap(chain),
  )
  if (!fees) return false
  const call = { chain, lane, chainNonce: chain_nonce, to, data, gas, ...fees }
  const { raw, hash } = await signCall(kit.parts.keys, call)
  const replacement = { ...stuck, raw, hash, created_at: new Date(kit.clock.now()), sent_at: null }
  if (await replaceTransaction(kit.db, stuck, replacement)) {
    kit.log.warn({ network, lane, chainNonce: chain_nonce, hash }, 'a stuck settlement was replaced by a dearer one')
    kit.parts.meters.repriced.inc({ network })
    passing('repriced', 1)
    await sendAgain(kit, [replacement])
  }
  return true
}
