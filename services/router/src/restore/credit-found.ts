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
  /** Whose balance it was to buy, where its payment says so. */
  readonly owner: Address | null
  readonly usd: string
  readonly transaction: string
}

/** To no request is this equal: it stands where none is known. */
const UNKNOWN = 'unknown'

/**
 * Credits settled payments that no transfer of the books speaks of, each once: to the owner whom the Router noted, or whom the
 * payment's identifier names, and where neither is known to the wallet that paid. That wallet can sign in and spend it; no
 * other one is shown by the chain.
 * @returns each, in words
 */
export async function creditFound(ctx: RouterContext, found: readonly Found[], looks: boolean): Promise<string[]> {
  const lines: string[] = []
  for (const payment of found) {
    const { paymentKey, payer, usd, transaction } = payment
    if (await isCredited(ctx.db, paymentKey)) continue
    const noted = soleOf(await notedFor(ctx.db, paymentKey))
    const owner = noted?.owner ?? (payment.owner ? AddressText.parse(payment.owner) : payer)
    const { fingerprint = UNKNOWN, keyId = null } = noted ?? {}
    const credited = { paymentKey, fingerprint, owner, amount: nanoUsdOf(usd), keyId, transaction }
    if (looks || (await creditTopUp(ctx, credited))) {
      const whose = noted || payment.owner ? 'its owner' : 'the wallet that paid, as no owner of it is known'
      lines.push(`${usd} USD of ${transaction} ${looks ? 'would be' : 'is'} credited to ${owner}, ${whose}`)
    }
  }
  return lines
}

/** The one that a payment was presented for; undefined where it was presented for several owners. */
const soleOf = (noted: readonly Noted[]): Noted | undefined =>
  new Set(noted.map(({ owner }) => owner)).size === 1 ? noted[0] : undefined
