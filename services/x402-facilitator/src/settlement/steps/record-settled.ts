import { paymentSettled } from '@callboard/contract'
import { chainOf } from '@callboard/evm'
import { inOrder, pipelined } from '@callboard/store'
import { type Caip2, type IsoTime, isoTime } from '@callboard/values'
import type { Confirmation } from '@callboard/x402'
import type { BatchingContext, FacilitatorContext } from '../../context.ts'
import { type Event, onceSent } from '../../domain/payment-state.ts'
import { gone, movePayments } from '../../store/move.repository.ts'
import { noteSettledTerms, type SettledTerms, unlessNotedJustNow } from '../../store/settled-resource.repository.ts'
import type { Payment } from '../../store/tables.ts'
import type { Settled } from '../batching/batcher.ts'
import { settlementFailpoints } from '../failpoints.ts'
import { accountGas, type Burned, burnedBy } from '../gas/account-gas.ts'
import { paymentDigest } from '../payment-span.ts'

/** Stores that the money of one payment moved. @throws PaymentMoved */
export const recordSettled = async (ctx: FacilitatorContext, settled: Settled): Promise<Payment> =>
  (await ctx.resources.batcher.settle(settled)) ?? gone(settled.row)

/**
 * Stores that the money of payments of one network moved. Outcomes, events and the terms of named resources commit
 * together; a block replaced by another one with the same transaction causes no second event.
 * @returns the settled rows, undefined where another runner moved the payment or took it over
 */
export async function settleAll(
  ctx: BatchingContext,
  network: Caip2,
  all: readonly Settled[],
): Promise<(Payment | undefined)[]> {
  settlementFailpoints.hit('seen', all.length)
  const now = new Date(ctx.clock.now())
  // Where blocks are final as soon as they exist, so are their contents.
  const isFinal = chainOf(ctx.resources.chains, network).finality === 'instant'
  const end: Event[] = isFinal ? ['finalized'] : []
  const moves = all.map((one) => ({
    seen: one.row,
    events: [...onceSent(one.row.state, 'included'), ...end],
    facts: factsOf(one),
  }))
  // One that a third party had submitted was public: anyone could bring it to us, with any resource.
  const termsOf = ({ row, isForeign }: Settled) =>
    isForeign ? [] : settledTerms(row, ctx.resources.discoveryMinimum(row.network))
  const eventOf = eventAt(isoTime(now.getTime()), isFinal ? 'finalized' : 'included')
  const settled = await pipelined(ctx.db, async (tx, commitWith) => {
    const moving = inOrder([movePayments(moves, now), unlessNotedJustNow(all.flatMap(termsOf), now)])
    const [moved, fresh] = await moving.execute(tx)
    const ours = all.filter((_, index) => moved[index] !== undefined)
    const proven = new Set(ours.flatMap(termsOf).map(termsKey))
    await commitWith([
      ...accountGas(ctx, network, ours.map(burnedFor)),
      ctx.publication(paymentSettled, ours.filter(isNews).map(eventOf)),
      ...noteSettledTerms(
        fresh.filter((terms) => proven.has(termsKey(terms))),
        { now, intervalMs: ctx.config.DISCOVERY_PROBE_INTERVAL_MS },
      ),
    ])
    return moved
  })
  settlementFailpoints.hit('settled', all.length)
  for (const [index, one] of all.entries()) {
    if (!settled[index]) continue
    const { row, isForeign } = one
    if (isNews(one)) ctx.log.info(lineOf(one), 'a payment was settled')
    ctx.resources.meters.outcomes.inc({ network: row.network, outcome: isForeign ? 'foreign' : 'settled' })
  }
  return settled
}

/** False if a block was replaced by another one with the same transaction: nothing is newly settled. */
const isNews = ({ row, transaction }: Settled): boolean => row.announced_tx !== transaction.hash

/** The log line that finds a settlement by its request, payment or transaction. */
const lineOf = ({ row, transaction, isForeign }: Settled) => ({
  request_id: row.request_id,
  payment_key: row.key,
  payment: paymentDigest(row.key),
  tx_hash: transaction.hash,
  block_number: transaction.blockNumber,
  foreign: isForeign,
})

const burnedFor = (one: Settled): Burned => ({
  row: one.row,
  gas: isNews(one) ? burnedBy(one.row, one.isForeign ? undefined : one.transaction.gasUsed) : 0,
  settled: !one.isForeign,
  isDebited: true,
})

const eventAt =
  (settledAt: IsoTime, reached: Confirmation) =>
  ({ row, transaction, isForeign }: Settled) => ({
    network: row.network,
    asset: row.asset,
    payer: row.payer,
    payTo: row.pay_to,
    amount: row.amount,
    nonce: row.nonce,
    txHash: transaction.hash,
    settledAt,
    foreign: isForeign,
    resourceUrl: row.resource?.resource ?? null,
    confirmation: { policy: row.confirmation, reached },
  })

/** The settled terms for the resource that a payment names, if it is of at least the minimum. */
const settledTerms = ({ resource, network, asset, pay_to, amount }: Payment, minimum: bigint): SettledTerms[] =>
  resource && BigInt(amount) >= minimum ? [{ url: resource.resource, network, asset, payTo: pay_to }] : []

const termsKey = ({ url, network, asset, payTo }: SettledTerms) => `${url} ${network} ${asset} ${payTo}`

const factsOf = ({ transaction: { hash, blockNumber, blockHash }, logIndex, isForeign }: Settled) => ({
  reason: null,
  settled_tx: hash,
  block_number: blockNumber,
  block_hash: blockHash,
  log_index: logIndex,
  is_foreign: isForeign,
  announced_tx: hash,
})
