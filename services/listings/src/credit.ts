import { type Credit, creditOf, type PayeeClaim, PRICE_GRACE_MS } from '@callboard/contract'
import { type ChainSet, chainOf } from '@callboard/evm'
import { type Address, type BaseUnits, type Caip2, decimalText } from '@callboard/values'
import type { Listing } from './domain/listing.ts'
import { claimsOn, lockPayee, spanOf } from './store/asked.repository.ts'
import { creditSettlement, type HeldSettlement, settlementsSince, sharedColumn } from './store/settlement.repository.ts'
import type { ListingsTx } from './store/tables.ts'

interface Settled {
  readonly network: Caip2
  readonly amount: BaseUnits
  readonly at: number
  /** The resource that its payment named; null or undefined if unknown. */
  readonly resource: string | null | undefined
}

/** Attributes a settlement in a chain's USDC by the claims on its payee. */
export function creditIn(
  chains: ChainSet,
  claims: readonly PayeeClaim[],
  { network, amount, at, resource = null }: Settled,
): Credit | undefined {
  const { address, decimals } = chainOf(chains, network).usdc
  return creditOf({ network, asset: address, amountUsd: decimalText(BigInt(amount), decimals), at, resource }, claims)
}

/** Attributes again the settlements that a listing's newest prices may concern: late ones, and those to come. */
export async function creditAnew(chains: ChainSet, tx: ListingsTx, listing: Listing): Promise<void> {
  const { network, updatedAt } = listing
  const splitter: Address = listing.splitter.address
  await lockPayee(tx, network, splitter)
  const recent = await settlementsSince(tx, network, splitter, new Date(updatedAt - PRICE_GRACE_MS))
  if (recent.length === 0) return
  const span = spanOf(recent.map(({ observed_at }) => observed_at.getTime()))
  await credit(chains, tx, recent, await claimsOn(tx, { network, payTo: splitter }, span))
}

/** Attributes settlements by these claims. */
export async function credit(
  chains: ChainSet,
  tx: ListingsTx,
  held: readonly HeldSettlement[],
  claims: readonly PayeeClaim[],
): Promise<void> {
  for (const settlement of held) {
    const { network, amount, observed_at, resource } = settlement
    const credited = creditIn(chains, claims, { network, amount, at: observed_at.getTime(), resource })
    if (!credited) continue
    const now = { slug: credited.slug, kind: credited.kind, shared_with: sharedColumn(credited) }
    const { slug, kind, shared_with } = settlement
    if (JSON.stringify(now) !== JSON.stringify({ slug, kind, shared_with })) await creditSettlement(tx, settlement, now)
  }
}
