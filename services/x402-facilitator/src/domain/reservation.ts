import type { Address } from '@callboard/values'
import { allowanceOf, type ExposureRules, isNewPayer, type PayerRecord, weightOf } from './exposure.ts'
import type { GasBook } from './gas-book.ts'
import type { GasUser, Scope } from './gas-budget.ts'

/** What a payer's earlier payments say of the next one. */
export interface PayerExposure extends PayerRecord {
  /** Base units that its payments on their way move. */
  readonly reserved: bigint
}

export interface Candidate extends Omit<GasUser, 'newPayer'> {
  readonly payer: Address
  readonly amount: bigint
  /** What the payer held when the payment was verified. */
  readonly balance: bigint
  /** Money of the payer left since its balance was asked for. */
  readonly isOld: boolean
  readonly hasCode: boolean
  /** The most gas that the payment may burn. */
  readonly gas: number
}

/** What a payment was signed under. */
export interface Terms {
  readonly weight: number
  readonly newPayer: GasUser['newPayer']
}

/**
 * `goes` it is signed now · `waits` for the payer's other payments · `queues` for gas that others have reserved, or for a
 * place in a transaction · `spent`
 * the payer, or one of the gas budgets, has cost too much for nothing · `crowded` too many of the payer, or of new payers,
 * wait already.
 */
export type Admittance =
  | { readonly kind: 'goes'; readonly terms: Terms }
  | { readonly kind: 'waits' }
  | { readonly kind: 'queues' }
  | { readonly kind: 'spent' | 'crowded'; readonly scope: Scope | 'payer' }

const UNKNOWN: PayerExposure = { reserved: 0n, inFlight: 0, wasted: 0, credit: 0 }

/**
 * Which payments of a moment may be signed. What a payer's unfinished payments move is counted as gone already, and what
 * they may burn as burned, those admitted before in this very list among them. So a burst above a payer's allowance takes
 * its turns, and only gas that was burned for nothing closes the door. One that has to wait takes no place.
 * @param room how many may go at the most
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
    const { payer, amount, balance, hasCode } = candidate
    const seen = records.get(payer) ?? UNKNOWN
    const weight = weightOf(hasCode)
    // The first payment of a payer always fits, whatever it weighs.
    const exceeds = (exposure: number) => exposure > 0 && exposure + weight > allowanceOf(seen, rules)
    if (exceeds(seen.wasted)) return { kind: 'spent', scope: 'payer' }
    const newPayer = isNewPayer(seen, hasCode, rules) ? (hasCode ? 'new_contracts' : 'new_payers') : null
    const user = { ...candidate, newPayer } as const
    const verdict = gas.judge(user, candidate.gas)
    if (verdict.kind === 'spent') return verdict
    if (candidate.isOld || balance < seen.reserved + amount) return queue.join('waits', payer, newPayer)
    const isBusy = left === 0 || verdict.kind === 'busy'
    if (isBusy || exceeds(seen.wasted + seen.inFlight)) return queue.join('queues', payer, newPayer)
    left -= 1
    records.set(payer, { ...seen, reserved: seen.reserved + amount, inFlight: seen.inFlight + weight })
    gas.reserve(user, candidate.gas)
    return { kind: 'goes', terms: { weight, newPayer } }
  })
}

/** Payments of one payer that may wait: an honest burst. Each holds a request open, of which a replica has so many. */
const MOST_OF_PAYER = 64
/** Payments of new payers that may wait together: another payer is free to make. */
const MOST_OF_NEW_PAYERS = 128

/** Those of a moment that have to wait. */
class Queue {
  readonly #ofPayer = new Map<Address, number>()
  #ofNewPayers = 0

  join(kind: 'waits' | 'queues', payer: Address, newPayer: Terms['newPayer']): Admittance {
    const ofPayer = this.#ofPayer.get(payer) ?? 0
    if (ofPayer >= MOST_OF_PAYER) return { kind: 'crowded', scope: 'payer' }
    if (newPayer && this.#ofNewPayers >= MOST_OF_NEW_PAYERS) return { kind: 'crowded', scope: newPayer }
    this.#ofPayer.set(payer, ofPayer + 1)
    if (newPayer) this.#ofNewPayers += 1
    return { kind }
  }
}
