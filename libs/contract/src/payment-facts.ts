import { type DataOf, type EventEnvelope, eventsOf } from './event.ts'
import { paymentSettled } from './events/payment.ts'
import { settlementObserved, settlementReverted } from './events/settlement.ts'
import type { ObservedSettlement } from './schemas/settlement.ts'

/** A fact with its event's sequence, which orders all facts about one thing. */
export type Sequenced<Fact> = Fact & { readonly sequence: number }

/** What a payment named when our facilitator settled it. */
export type NamedPayment = Pick<DataOf<typeof paymentSettled>, 'network' | 'asset' | 'payer' | 'nonce' | 'payTo'> & {
  readonly resource: string
}

/** The payment facts in a batch of events, the newest about each thing. */
export interface PaymentFacts {
  readonly observed: readonly Sequenced<ObservedSettlement>[]
  readonly reverted: readonly Sequenced<DataOf<typeof settlementReverted>>[]
  readonly named: readonly Sequenced<NamedPayment>[]
}

/**
 * Reads the events of payments as one fact per thing. A transfer of nothing settles nothing. A payment settled by our
 * facilitator names its resource, which may show which of a payee's listings was called. An authorization that a third
 * party had submitted is skipped: it was public by then, so anyone could bring it to us with another resource.
 */
export function paymentFacts(events: readonly EventEnvelope[]): PaymentFacts {
  const seen = eventsOf(settlementObserved, events).map(sequenced)
  const named = eventsOf(paymentSettled, events).flatMap(({ data, sequence }) => {
    const { foreign, resourceUrl, network, asset, payer, nonce, payTo } = data
    if (foreign || resourceUrl === null) return []
    return [{ network, asset, payer, nonce, payTo, resource: resourceUrl, sequence }]
  })
  const observed = newest(
    seen.filter(({ amount }) => BigInt(amount) > 0n),
    settlementName,
  )
  const reverted = eventsOf(settlementReverted, events).map(sequenced)
  return { observed, reverted, named: newest(named, (one) => `${one.network} ${one.asset} ${one.payer} ${one.nonce}`) }
}

const settlementName = ({ network, txHash, logIndex }: Pick<ObservedSettlement, 'network' | 'txHash' | 'logIndex'>) =>
  `${network} ${txHash} ${logIndex}`

const sequenced = <Data extends object>({ data, sequence }: { data: Data; sequence: number }): Sequenced<Data> => ({
  ...data,
  sequence,
})

function newest<Fact extends { readonly sequence: number }>(
  facts: readonly Fact[],
  keyOf: (fact: Fact) => string,
): Fact[] {
  const inOrder = facts.toSorted((one, other) => one.sequence - other.sequence)
  return [...new Map(inOrder.map((fact) => [keyOf(fact), fact])).values()]
}

/** Whether a settlement that left a block is observed again later in the same block. */
export const standsAgain = (left: PaymentFacts['reverted'][number], observed: PaymentFacts['observed']): boolean =>
  observed.some(
    (one) =>
      settlementName(one) === settlementName(left) && one.blockHash === left.blockHash && one.sequence > left.sequence,
  )
