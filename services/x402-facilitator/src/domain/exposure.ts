/** How much a payer may cost us at a time, counted in payments. */
export interface ExposureRules {
  /** What a payer starts with. */
  readonly start: number
  /** What it can grow to. */
  readonly most: number
}

/** What a payer's earlier payments say of the gas that its next ones may cost for nothing. */
export interface PayerRecord {
  /** Payments of ours on their way, each by its weight. */
  readonly inFlight: number
  /** Payments that came to nothing within the hour, each by its weight. */
  readonly wasted: number
  /** Settled payments of at least the floor, less what came to nothing. */
  readonly credit: number
}

/** A contract is paid for alone and may burn the whole gas of a transfer; an account without code burns a leg's. */
const CONTRACT_WEIGHT = 2
/** A contract costs nothing to make and burns what it likes, so it is known after so many times the settlements. */
const CONTRACT_PROBATION = 10

/** How many payments one payment counts as. */
export const weightOf = (hasCode: boolean): number => (hasCode ? CONTRACT_WEIGHT : 1)

/** What a payer may have in flight and have wasted together. It grows by one with each settled payment of the floor. */
export const allowanceOf = ({ credit }: PayerRecord, { start, most }: ExposureRules): number =>
  Math.max(start, Math.min(most, start + credit))

/** A payer that has not settled enough to answer for itself; all of these share one budget, since each is free to make. */
export const isNewPayer = ({ credit }: PayerRecord, hasCode: boolean, { start }: ExposureRules): boolean =>
  credit < start * (hasCode ? CONTRACT_PROBATION : 1)
