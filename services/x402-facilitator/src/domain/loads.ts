import type { Address, Hex } from '@callboard/values'

/** A payment that waits for a transaction. */
export interface Waiting {
  /** ERC-8021 suffix of the transaction that carries it. */
  readonly suffix: Hex
  /** False where the payer has code: its contract may burn what gas it gets, so it is settled alone. */
  readonly batchable: boolean
}

/**
 * The order in which waiting payments are served: the first of each requester before the second of any, so that one with
 * many payments, or with many that cannot share a transaction, holds up nobody else's.
 * @param payments in order of arrival
 */
export function inTurns<Payment>(
  payments: readonly Payment[],
  requesterOf: (payment: Payment) => string,
): readonly Payment[] {
  const earlier = new Map<string, number>()
  const placed = payments.map((payment) => {
    const requester = requesterOf(payment)
    const turn = earlier.get(requester) ?? 0
    earlier.set(requester, turn + 1)
    return { payment, turn }
  })
  return placed.toSorted((left, right) => left.turn - right.turn).map(({ payment }) => payment)
}

/**
 * Decides which payments share a transaction: in the order given, up to the limit, and only with equal suffixes,
 * because a suffix belongs to the whole transaction.
 * @param mostLegs payments of one transaction; below 2 each goes alone
 */
export function planLoads<Payment extends Waiting>(payments: readonly Payment[], mostLegs: number): Payment[][] {
  const loads: Payment[][] = []
  const open = new Map<Hex, Payment[]>()
  for (const payment of payments) {
    const company = payment.batchable ? open.get(payment.suffix) : undefined
    if (company && company.length < mostLegs) {
      company.push(payment)
      continue
    }
    const load = [payment]
    loads.push(load)
    if (payment.batchable) open.set(payment.suffix, load)
  }
  return loads
}

/** The current load of a signing account. */
export interface LaneLoad {
  readonly address: Address
  /** Its transactions on their way. */
  readonly busy: number
  /** The most gas of one transaction that it can pay for. */
  readonly gas: bigint
}

/**
 * Gives each load the least busy account that can pay for it and has capacity, or only the sender that it names.
 * @param depth transactions of one account that may be on their way
 * @returns an account for each load, undefined where it has to wait
 */
export function assignLanes(
  loads: readonly { readonly gas: bigint; readonly sender?: Address | undefined }[],
  lanesNow: readonly LaneLoad[],
  depth: number,
): (Address | undefined)[] {
  const lanes = lanesNow.map((lane) => ({ ...lane }))
  return loads.map(({ gas, sender }) => {
    const able = lanes.filter(
      (lane) => lane.busy < depth && lane.gas >= gas && (sender === undefined || lane.address === sender),
    )
    const [lane] = able.sort((left, right) => left.busy - right.busy)
    if (!lane) return undefined
    lane.busy++
    return lane.address
  })
}
