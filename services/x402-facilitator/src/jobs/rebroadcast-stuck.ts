import { type Chain, chainOf, clientOf } from '@callboard/evm'
import { schemaOf, unlessOutage, type Waking, whenWoken } from '@callboard/runtime'
import { type Address, MINUTE_MS, SECOND_MS } from '@callboard/values'
import { parseTransaction } from 'viem'
import { ChainUnavailable, readingChain } from '../chain/chain-unavailable.ts'
import { signCall } from '../chain/signing.ts'
import type { FacilitatorContext } from '../context.ts'
import { replacementFees } from '../domain/fees.ts'
import { settlementFailpoints } from '../settlement/failpoints.ts'
import { sendAgain } from '../settlement/steps/send-again.ts'
import { lanesAtWork } from '../store/backlog.repository.ts'
import { keepLane, openSlots, replaceTransaction } from '../store/lane.repository.ts'
import { hasOpenPayments } from '../store/lease.repository.ts'
import { claimsChannel, TOLD_EVERY_MS } from '../store/payment.repository.ts'
import type { LaneTransaction } from '../store/tables.ts'

/** How long one process keeps a lane to itself. */
const TURN_SECONDS = 2
/** Open chain nonces checked per lane and round. */
const AT_ONCE = 200

/**
 * Ensures that every chain nonce handed out is consumed, even where its payment is already settled or lost: one missing
 * transaction would hold up all later ones of its account. Stored transactions are sent again. The one at the head of
 * the queue is replaced by one with higher fees, the same nonce and the same calldata, so it cannot pay twice. If an
 * account's key is no longer configured, its transactions are sent again unchanged. While no transaction is on its way,
 * chains are asked only on the sweep.
 */
export const rebroadcastStuck = whenWoken<FacilitatorContext>('rebroadcast-stuck', waking, async (ctx) => {
  const isAnyOpen = await hasOpenPayments(ctx.db)
  const begun = isAnyOpen ? await lanesAtWork(ctx.db) : []
  const lanes = [...ctx.resources.chains.values()].flatMap((chain) => {
    const own = begun.filter(({ network }) => network === chain.network).map(({ lane }) => lane)
    return [...new Set([...ctx.resources.keys.addresses(), ...own])].map((lane) => keep(ctx, chain, lane))
  })
  // An open payment may be signed at any time.
  const due = isAnyOpen ? [soonestMs(ctx)] : []
  for (const round of await Promise.allSettled(lanes)) {
    if (round.status === 'fulfilled') due.push(...round.value)
    else {
      ctx.log.warn({ err: round.reason }, 'a signing account was not looked after')
      due.push(0)
    }
  }
  return due.length > 0 ? Math.min(...due) : undefined
})

function waking(ctx: FacilitatorContext): Waking {
  const dueAfterMs = soonestMs(ctx) + TOLD_EVERY_MS
  return { channels: [claimsChannel(schemaOf(ctx.name))], pollMs: SECOND_MS, dueAfterMs, sweepMs: MINUTE_MS }
}

/** The least age at which a transaction needs attention. */
const soonestMs = ({ config }: FacilitatorContext) => Math.min(config.RESEND_AFTER_MS, config.REPRICE_AFTER_MS)

/** @returns when to check again, in milliseconds, for each open chain nonce */
async function keep(ctx: FacilitatorContext, { network }: Chain, lane: Address): Promise<number[]> {
  if (!(await keepLane(ctx.db, network, lane, TURN_SECONDS))) return []
  const client = clientOf(ctx.resources.clients, network)
  const consumed = await readingChain(network, client.getTransactionCount({ address: lane, blockTag: 'latest' }))
  const now = ctx.clock.now()
  const slots = await openSlots(ctx.db, network, lane, consumed, AT_ONCE)
  for (const slot of slots) {
    const isHead = slot.chain_nonce === consumed
    const replacement = isHead && isDue(slot.created_at, now, ctx.config.REPRICE_AFTER_MS)
    if (replacement && (await reprice(ctx, slot))) continue
    if (!isDue(slot.sent_at ?? slot.created_at, now, ctx.config.RESEND_AFTER_MS)) continue
    ctx.resources.meters.resent.inc({ network })
    await sendAgain(ctx, [slot])
  }
  return slots.map(({ sent_at, created_at }) => (sent_at ?? created_at).getTime() + soonestMs(ctx) - now)
}

const isDue = (since: Date, now: number, afterMs: number) => now - since.getTime() >= afterMs

/** @returns false when the fees cannot rise any further, or no replacement can be made now */
async function reprice(ctx: FacilitatorContext, stuck: LaneTransaction): Promise<boolean> {
  const { network, lane, chain_nonce } = stuck
  if (!ctx.resources.keys.has(lane)) return false
  const chain = chainOf(ctx.resources.chains, network)
  const { to, data, gas, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(stuck.raw as `0x02${string}`)
  if (!to || !data || !gas || !maxFeePerGas) throw new Error(`the stored transaction ${stuck.hash} is not one of ours`)
  const fresh = await unlessOutage(() => ctx.resources.fees.terms(network), NOT_NOW)
  const fees =
    fresh &&
    replacementFees(
      { maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n },
      fresh,
      ctx.resources.feeCap(chain),
    )
  if (!fees || !(await canPay(ctx, lane, chain, gas * fees.maxFeePerGas))) return false
  const call = { chain, lane, chainNonce: chain_nonce, to, data, gas, ...fees }
  const signed = await unlessOutage(() => signCall(ctx.resources.keys, call), NOT_NOW)
  if (!signed) return false
  const { raw, hash } = signed
  const replacement = { ...stuck, raw, hash, created_at: new Date(ctx.clock.now()), sent_at: null }
  if (await replaceTransaction(ctx.db, stuck, replacement)) {
    ctx.log.warn({ network, lane, chainNonce: chain_nonce, hash }, 'a stuck settlement was replaced by a dearer one')
    ctx.resources.meters.repriced.inc({ network })
    settlementFailpoints.hit('repriced', 1)
    await sendAgain(ctx, [replacement])
  }
  return true
}

/** Whether an account has coins for a replacement: a node would refuse it, and what it replaces is not sent again. */
async function canPay({ resources }: FacilitatorContext, lane: Address, { network }: Chain, wei: bigint) {
  const client = clientOf(resources.clients, network)
  return (await readingChain(network, client.getBalance({ address: lane }))) >= wei
}

/** What it takes is not there now: a signer does not answer, no account has coins, or gas costs more than the cap. */
const NOT_NOW = { isItsOutage: (error: unknown) => error instanceof ChainUnavailable, answer: () => undefined }
