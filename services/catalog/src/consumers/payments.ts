import { creditOf, type NamedPayment, paymentFacts } from '@callboard/contract'
import type { CatalogBatchConsumer } from '../context.ts'
import { claimantsOf, claimsOf, type Span } from '../store/claim.repository.ts'
import { lockPayments, type Payee, payeeName } from '../store/locks.ts'
import { credit, type Held, knownPayments } from '../store/payee.repository.ts'
import { keepResources } from '../store/payment-resource.repository.ts'
import { amountUsdOf, keepSettlements, revertSettlement } from '../store/settlement.repository.ts'

/**
 * Handles payments that are observed, reverted, or named by our facilitator as it settles them. A settlement belongs to
 * the listing that holds its payee then; the named resource may choose among these, in any order of events.
 */
export const onPayments: CatalogBatchConsumer = async (events, { tx }) => {
  const { observed, reverted, named } = paymentFacts(events)
  const payments = distinct([...observed, ...named])
  const payees = payments.map(payeeOf)
  await lockPayments(tx, { settlements: [...observed, ...reverted], payments, payees })
  const [claimants] = await Promise.all([
    claimantsOf(tx, payees),
    keepResources(tx, named),
    ...reverted.map((one) => revertSettlement(tx, one)),
  ])
  if (payments.length === 0) return
  const known = await knownPayments(tx, payments)
  const held = known.flatMap((one, at) => one.held.map((settlement) => ({ ...settlement, payee: payees[at] as Payee })))
  const moments = [
    ...observed.map((one) => Date.parse(one.observedAt)),
    ...held.map((one) => one.observed_at.getTime()),
  ]
  if (moments.length === 0) return
  const claims = await claimsOf(tx, claimants, spanOf(moments))
  const resources = new Map(payments.map((payment, at) => [paymentName(payment), known[at]?.resource]))
  const credited = observed.map((seen) => {
    const { network, asset } = seen
    const settled = { network, asset, amountUsd: amountUsdOf(seen), at: Date.parse(seen.observedAt) }
    const resource = resources.get(paymentName(seen)) ?? null
    return { ...seen, credit: creditOf({ ...settled, resource }, claims.get(payeeName(payeeOf(seen))) ?? []) }
  })
  await keepSettlements(tx, credited)
  // Settlements that this batch newly observed are already credited.
  const isOlder = (one: Held & { readonly sequence: number }) =>
    observed.some(
      (seen) => seen.txHash === one.tx_hash && seen.logIndex === one.log_index && seen.sequence > one.sequence,
    )
  const newest = held.filter((one) => !isOlder(one))
  for (const ofOne of Map.groupBy(newest, ({ payee }) => payeeName(payee)).values()) {
    const [{ payee } = { payee: undefined }] = ofOne
    if (payee) await credit(tx, payee, ofOne, claims.get(payeeName(payee)) ?? [])
  }
}

type PaymentOf = Pick<NamedPayment, 'network' | 'asset' | 'payer' | 'nonce' | 'payTo'>

const payeeOf = ({ network, payTo }: PaymentOf): Payee => ({ network, address: payTo })

const paymentName = ({ network, asset, payer, nonce, payTo }: PaymentOf) =>
  `${network} ${asset} ${payer} ${nonce} ${payTo}`

const distinct = (payments: readonly PaymentOf[]): PaymentOf[] => [
  ...new Map(payments.map((payment) => [paymentName(payment), payment])).values(),
]

const spanOf = (moments: readonly number[]): Span => ({ from: Math.min(...moments), to: Math.max(...moments) })
