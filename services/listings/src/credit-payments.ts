import type { Credit, PaymentFacts } from '@callboard/contract'
import type { ChainSet } from '@callboard/evm'
import { credit, creditIn } from './credit.ts'
import { type Payees, payeeOf } from './payees.ts'
import { claimsAmong, spanOf } from './store/asked.repository.ts'
import {
  type PaymentKey,
  putSettlements,
  resourcesNamed,
  settlementsOf,
  sharedColumn,
} from './store/settlement.repository.ts'
import type { ListingsTx, SettlementTable } from './store/tables.ts'

type Observed = PaymentFacts['observed'][number]

/**
 * Records observed payments to listings' splitters, each as a call of the listing that asked its amount or as another
 * transfer, and attributes again earlier ones that are named now. While only drafts claim a splitter, a settlement is
 * kept for the oldest. The caller locks the payments, and their payees in shared mode.
 */
export async function creditPayments(
  chains: ChainSet,
  tx: ListingsTx,
  payees: Payees,
  { observed, named }: Pick<PaymentFacts, 'observed' | 'named'>,
): Promise<void> {
  const [resources, held] = await Promise.all([
    resourcesNamed(tx, observed),
    named.length > 0 ? settlementsOf(tx, named) : [],
  ])
  const times = [...observed.map(timeOf), ...held.map(({ observed_at }) => observed_at.getTime())]
  if (times.length === 0) return
  const claims = await claimsAmong(tx, payees.listings, spanOf(times))
  const resourceOf = new Map(resources.map((one) => [keyOf(one), one.resource]))
  const rows = observed.flatMap((seen): SettlementTable[] => {
    const { network, amount } = seen
    const settled = { network, amount, at: timeOf(seen), resource: resourceOf.get(keyOf(seen)) }
    const ofClaims = creditIn(chains, payees.claimsOn(seen, claims), settled)
    const draft = ofClaims ? undefined : payees.draftOf(seen)
    const credited = ofClaims ?? (draft && { slug: draft.slug, kind: 'transfer' as const, sharedWith: [] })
    return credited ? [rowOf(seen, credited)] : []
  })
  await putSettlements(tx, rows)
  const isNew = new Set(rows.map(placeOf))
  const payeeByKey = new Map(named.map((one) => [keyOf(one), payeeOf(one)]))
  for (const settlement of held.filter((one) => !isNew.has(placeOf(one)))) {
    const { network, payer, nonce } = settlement
    const payee = payer && nonce ? payeeByKey.get(keyOf({ network, payer, nonce })) : undefined
    if (payee) await credit(chains, tx, [settlement], payees.claimsOn(payee, claims))
  }
}

const timeOf = ({ observedAt }: Observed): number => Date.parse(observedAt)

const keyOf = ({ network, payer, nonce }: PaymentKey) => `${network} ${payer} ${nonce}`

const placeOf = ({ network, tx_hash, log_index }: Pick<SettlementTable, 'network' | 'tx_hash' | 'log_index'>) =>
  `${network} ${tx_hash} ${log_index}`

const rowOf = (seen: Observed, credit: Credit): SettlementTable => ({
  network: seen.network,
  tx_hash: seen.txHash,
  log_index: seen.logIndex,
  block_hash: seen.blockHash,
  slug: credit.slug,
  kind: credit.kind,
  shared_with: sharedColumn(credit),
  payer: seen.payer,
  nonce: seen.nonce,
  amount: seen.amount,
  observed_at: new Date(seen.observedAt),
})
