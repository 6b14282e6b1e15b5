import { type Chain, clientOf } from '@callboard/evm'
import { HOUR_MS } from '@callboard/values'
import { callsOfLanes, firstBlockSince, type LaneCall } from '../chain/lane-blocks.ts'
import { isIncluded } from '../chain/sent-facts.ts'
import { paysUs } from '../config.ts'
import type { FacilitatorContext } from '../context.ts'
import { isOpen } from '../domain/payment-state.ts'
import { type SentTransfer, transfersIn } from '../domain/sent-calldata.ts'
import { paidAt } from '../domain/settlement-log.ts'
import { recordSettled } from '../settlement/steps/record-settled.ts'
import { bindGrant, RECOVERED } from '../store/grant.repository.ts'
import { nextNonces } from '../store/lane.repository.ts'
import { keyOf } from '../store/payment.repository.ts'

/**
 * A chain's clock and a database's differ by less. A chain that was halted timestamps its blocks, until it has caught
 * up, as far in the past as it was halted.
 */
const MARGIN_MS = HOUR_MS

export interface Recovered {
  /** Payments that moved money on the chain in the lost time and are known again. */
  readonly payments: number
  /** Such payments that are open in the table: their own runners find their outcome. */
  readonly open: number
}

/**
 * Reads from the chain what signing accounts settled in the lost time, and stores it as settled. Without that, a
 * payment whose window is over by now would read as never made.
 * @throws ChainUnavailable; it may be repeated
 */
export async function recoverPayments(
  ctx: FacilitatorContext,
  chain: Chain,
  { to, dryRun }: { readonly to: Date; readonly dryRun: boolean },
): Promise<Recovered> {
  const { network } = chain
  const client = clientOf(ctx.resources.clients, network)
  // An account whose key is no longer configured may have settled some of them.
  const accounts = [...ctx.resources.keys.addresses(), ...(await nextNonces(ctx.db, network)).keys()]
  const lanes = new Set(accounts.map((address) => address.toLowerCase()))
  const from = await firstBlockSince(client, network, new Date(to.getTime() - MARGIN_MS))
  const recovered = { payments: 0, open: 0 }
  for await (const call of callsOfLanes(client, network, from, lanes)) {
    for (const sent of transfersIn(call.to, call.input, chain.settlementBatch)) {
      const known = await ctx.resources.batcher.find(keyOf({ ...sent, network }))
      if (known && known.state !== 'refused') {
        if (isOpen(known.state)) recovered.open += 1
      } else if (dryRun || (await recover(ctx, chain, call, sent))) recovered.payments += 1
    }
  }
  return recovered
}

/**
 * Stores a payment as settled. One that was paid to us is bound to no request: the chain shows its signature to
 * everyone, and whoever presents it must not be served for it again.
 * @returns false where the transaction did not move this money, or another process has the payment
 */
async function recover(ctx: FacilitatorContext, chain: Chain, call: LaneCall, sent: SentTransfer): Promise<boolean> {
  const { network, chainId, usdc } = chain
  const transaction = await ctx.resources.batcher.sent(network, call.hash)
  if (!isIncluded(transaction)) return false
  const { asset, authorization, signature } = sent
  const { to: payTo, value: amount, from: payer, nonce } = authorization
  const logIndex = paidAt(transaction.uses, { asset, payer, payTo, amount, nonce })
  if (logIndex === undefined) return false
  const key = keyOf({ ...sent, network })
  // This comes first: if the process is killed before the claim, a repeat still finds the payment unknown.
  if (paysUs(ctx.config, payTo)) await bindGrant(ctx.db, key, RECOVERED, RECOVERED, new Date(ctx.clock.now()))
  const domain = { name: usdc.name, version: usdc.version, chainId, verifyingContract: asset }
  const row = await ctx.resources.batcher.claim({
    transfer: { x402Version: 2, network, asset, payTo, amount, domain, authorization, signature },
    suffix: '0x',
    confirmation: ctx.resources.confirmations.get(network)?.default ?? 'included',
    ...{ resource: undefined, origin: null, sponsor: null, requestId: null, owner: ctx.resources.instance },
    now: new Date(ctx.clock.now()),
  })
  if (!row) return false
  // The table has no transaction of ours for it, so it is followed like a third party's.
  await recordSettled(ctx, { row, transaction, logIndex, isForeign: true })
  return true
}
