import type { Address } from '@callboard/values'
import { AddressText } from '@callboard/x402'
import type { RouterContext } from '../context.ts'
import { nanoUsdOf } from '../domain/usd.ts'
import { isCredited, type Noted, notedFor } from '../store/restore.repository.ts'
import { creditTopUp } from '../top-ups/credit.ts'

/** A payment for balance that is settled on its chain. */
export interface Found {
  readonly paymentKey: string
  readonly payer: Address
  /** The owner whose balance it was to buy, if its payment names one. */
  readonly owner: Address | null
  readonly usd: string
  readonly transaction: string
}

/** Stands for an unknown fingerprint; equals that of no request. */
const UNKNOWN = 'unknown'

/**
 * Credits settled payments that no transfer in the ledger records, each once: to the owner that the Router noted or the
 * payment's identifier names, or if neither is known, to the wallet that paid. That wallet can sign in and spend it;
 * the chain shows no other.
 * @returns each, in words
 */
export async function creditFound(ctx: RouterContext, found: readonly Found[], dryRun: boolean): Promise<string[]> {
  const lines: string[] = []
  for (const payment of found) {
    const { paymentKey, payer, usd, transaction } = payment
    if (await isCredited(ctx.db, paymentKey)) continue
    const noted = soleOf(await notedFor(ctx.db, paymentKey))
    const owner = noted?.owner ?? (payment.owner ? AddressText.parse(payment.owner) : payer)
    const { fingerprint = UNKNOWN, keyId = null } = noted ?? {}
    const credited = { paymentKey, fingerprint, owner, amount: nanoUsdOf(usd), keyId, transaction }
    if (dryRun || (await creditTopUp(ctx, credited))) {
      const whose = noted || payment.owner ? 'its owner' : 'the wallet that paid, as no owner of it is known'
      lines.push(`${usd} USD of ${transaction} ${dryRun ? 'would be' : 'is'} credited to ${owner}, ${whose}`)
    }
  }
  return lines
}

/** The single owner that a payment was presented for; undefined if there were several. */
const soleOf = (noted: readonly Noted[]): Noted | undefined =>
  new Set(noted.map(({ owner }) => owner)).size === 1 ? noted[0] : undefined
