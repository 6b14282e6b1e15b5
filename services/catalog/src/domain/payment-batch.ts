import {
  type DataOf,
  type EventEnvelope,
  type ObservedSettlement,
  paymentSettled,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { takenOf } from '@callboard/runtime'

/** A fact with the sequence of its event, which orders all that is said of one thing. */
export type Sequenced<Fact> = Fact & { readonly sequence: number }

/** What a payment named when our facilitator settled it. */
export type NamedPayment = Pick<DataOf<typeof paymentSettled>, 'network' | 'asset' | 'payer' | 'nonce' | 'payTo'> & {
  readonly resource: string
}

/** What some events say of payments, the newest of each thing. */
export interface PaymentBatch {
  readonly observed: readonly Sequenced<ObservedSettlement>[]
  readonly reverted: readonly Sequenced<DataOf<typeof settlementReverted>>[]
  readonly named: readonly Sequenced<NamedPayment>[]
}

/**
 * Reads the events of payments as one fact for each thing. A transfer of nothing settles nothing. What our facilitator
 * settled names its resource, which may show which of a payee's listings was called; an authorization that a third party had
 * submitted is passed over: it is public then, and anyone can bring it to us with another resource.
 */
export function paymentBatch(events: readonly EventEnvelope[]): PaymentBatch {
  const observed = takenOf(settlementObserved, events).map(sequenced)
  const reverted = takenOf(settlementReverted, events).map(sequenced)
  const named = takenOf(paymentSettled, events).flatMap(({ data, sequence }) => {
    const { foreign, resourceUrl, network, asset, payer, nonce, payTo } = data
    if (foreign || resourceUrl === null) return []
    return [{ network, asset, payer, nonce, payTo, resource: resourceUrl, sequence }]
  })
  return {
    observed: newest(
      observed.filter(({ amount }) => BigInt(amount) > 0n),
      ({ network, txHash, logIndex }) => `${network} ${txHash} ${logIndex}`,
    ),
    reverted,
    named: newest(named, ({ network, asset, payer, nonce }) => `${network} ${asset} ${payer} ${nonce}`),
  }
}

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
