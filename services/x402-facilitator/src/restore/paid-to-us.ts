import { router } from '@callboard/contract'
import { type Address, decimalText } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { paidForBalance } from '../store/grant.repository.ts'

/** A settled payment for balance with the Router. */
export interface PaidToUs {
  readonly paymentKey: string
  readonly payer: Address
  /** Whose balance it was to buy, where its payment names an owner; else null. */
  readonly owner: Address | null
  /** Decimal text. */
  readonly usd: string
  readonly transaction: string
}

/** Two machines' clocks differ by less, and a payment is settled within an hour of its claim. */
const MARGIN_MS = 3_600_000

/** Reads what was paid for balance since a moment, as far as the facilitator knows. */
export async function paidToUs(ctx: FacilitatorContext, since: Date): Promise<PaidToUs[]> {
  const { ROUTER_PAY_TO, DECODE_PAY_TO } = ctx.config
  const payTo = ROUTER_PAY_TO ?? DECODE_PAY_TO
  const from = new Date(since.getTime() - MARGIN_MS)
  const rows = await paidForBalance(ctx.db, { payTo, from, operation: router.topUp.id })
  return rows.flatMap(({ key, payer, owner, network, amount, settled_tx }) => {
    const chain = ctx.resources.chains.get(network)
    if (!chain || !settled_tx) return []
    const usd = decimalText(BigInt(amount), chain.usdc.decimals)
    return [{ paymentKey: key, payer, owner: (owner || null) as Address | null, usd, transaction: settled_tx }]
  })
}
