import type { Address } from '@callboard/values'
import { allowanceOf, type ExposureRules, isNewPayer, type PayerRecord, weightOf } from './exposure.ts'
import type { GasBook } from './gas-book.ts'
import type { GasUser, Scope } from './gas-budget.ts'

/** What a payer's earlier payments imply for the next one. */
export interface PayerExposure extends PayerRecord {
  /** Base units that its payments on their way will move. */
  readonly reserved: bigint
  /** Milliseconds since any replica recorded that money of it moved; negative where the database's clock was set back. */
  readonly sinceDebitMs: number
}

export interface Candidate extends Omit<GasUser, 'newPayer'> {
  readonly payer: Address
  readonly amount: bigint
  /** What the payer held when the payment was verified. */
  readonly balance: bigint
  /** Milliseconds since the balance was asked for. */
  readonly balanceAgeMs: number
  readonly hasCode: boolean
  /** The most gas that the payment may burn. */
  readonly gas: number
}

/** The terms under which a payment was signed. */
export interface Terms {
  readonly weight: number
  readonly newPayer: GasUser['newPayer']
}

/**
 * `goes`: it is signed now · `waits` for the payer's other payments · `queues` for gas that others have reserved, or
 * for a place in a transaction · `spent`: the payer has wasted too much, or a gas budget is used up · `crowded`: too
 * many payments of the payer, of the requester's network or of new payers are waiting already.
 */
export type Admittance =
  | { readonly kind: 'goes'; readonly terms: Terms }
  | { readonly kind: 'waits' }
  | { readonly kind: 'queues' }
  | { readonly kind: 'spent' | 'crowded'; readonly scope: Scope | 'payer' }

const UNKNOWN: PayerExposure = {
  ...{ reserved: 0n, sinceDebitMs: Number.POSITIVE_INFINITY },
  ...{ inFlight: 0, wasted: 0, credit: 0 },
}

/**
 * Decides which payments of a moment may be signed. What a payer's unfinished payments may move and burn counts as
 * gone, including those admitted earlier in this list; a balance counts if it was read after the payer's last debit.
 * So a burst above a payer's allowance takes turns, and only gas that was wasted leads to a refusal. A payment that has
 * to wait takes no place.
 * @param room the most payments that may go
 */
export function admitPayers(
  candidates: readonly Candidate[],
  exposures: ReadonlyMap<Address, PayerExposure>,
  rules: ExposureRules,
  gas: GasBook,
  room: number,
): Admittance[] {
  const records = new Map(exposures)
  const queue = new Queue()
  let left = room
  return candidates.map((candidate): Admittance => {
    const { payer, amount, balance, balanceAgeMs, hasCode } = candidate
    const seen = records.get(payer) ?? UNKNOWN
    const weight = weightOf(hasCode)
    // The first payment of a payer always fits, regardless of its weight.
    const exceeds = (exposure: number) => exposure > 0 && exposure + weight > allowanceOf(seen, rules)
    if (exceeds(seen.wasted)) return { kind: 'spent', scope: 'payer' }
    const newPayer = isNewPayer(seen, hasCode, rules) ? (hasCode ? 'new_contracts' : 'new_payers') : null
    const user = { ...candidate, newPayer } as const
    const verdict = gas.judge(user, candidate.gas)
    if (verdict.kind === 'spent') return verdict
    const isOutdated = seen.sinceDebitMs >= 0 && balanceAgeMs >= seen.sinceDebitMs
    if (isOutdated || balance < seen.reserved + amount) return queue.join('waits', payer, user)
    const isBusy = left === 0 || verdict.kind === 'busy'
    if (isBusy || exceeds(seen.wasted + seen.inFlight)) return queue.join('queues', payer, user)
    left -= 1
    records.set(payer, { ...seen, reserved: seen.reserved + amount, inFlight: seen.inFlight + weight })
    gas.reserve(user, candidate.gas)
    return { kind: 'goes', terms: { weight, newPayer } }
  })
}

/** Payments of one payer that may wait: an honest burst. Each holds one of a replica's limited open requests. */
const MOST_OF_PAYER = 64
/** Payments that may wait from one requester's network: half of a replica's open requests. */
const MOST_OF_NETWORK = 128
/** Payments of new payers that may wait together: creating another payer is free. */
const MOST_OF_NEW_PAYERS = 128

/** The payments of a moment that have to wait. */
class Queue {
  readonly #ofPayer = new Map<Address, number>()
  readonly #ofNetwork = new Map<string, number>()
  #ofNewPayers = 0

  join(kind: 'waits' | 'queues', payer: Address, { origin, newPayer }: GasUser): Admittance {
    const ofPayer = this.#ofPayer.get(payer) ?? 0
    if (ofPayer >= MOST_OF_PAYER) return { kind: 'crowded', scope: 'payer' }
    const ofNetwork = (origin !== null && this.#ofNetwork.get(origin)) || 0
    if (ofNetwork >= MOST_OF_NETWORK) return { kind: 'crowded', scope: 'requester' }
    if (newPayer && this.#ofNewPayers >= MOST_OF_NEW_PAYERS) return { kind: 'crowded', scope: newPayer }
    this.#ofPayer.set(payer, ofPayer + 1)
    if (origin !== null) this.#ofNetwork.set(origin, ofNetwork + 1)
    if (newPayer) this.#ofNewPayers += 1
    return { kind }
  }
}
