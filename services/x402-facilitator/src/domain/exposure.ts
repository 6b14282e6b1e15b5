/** Limits on what a payer may cost us at a time, counted in payments. */
export interface ExposureRules {
  /** A payer's initial allowance. */
  readonly start: number
  /** The largest allowance it can reach. */
  readonly most: number
}

/** What a payer's earlier payments tell about the gas that its next ones may waste. */
export interface PayerRecord {
  /** Our payments on their way, each by its weight. */
  readonly inFlight: number
  /** Payments that failed within the hour, each by its weight. */
  readonly wasted: number
  /** Settled payments of at least the floor, less those that failed. */
  readonly credit: number
}

/** A contract's payment is settled alone and may burn a whole transfer's gas; an account without code burns a leg's. */
const CONTRACT_WEIGHT = 2
/** A contract is free to create and can burn any amount, so it must settle this many times as much to be known. */
const CONTRACT_PROBATION = 10

/** How many payments one payment counts as. */
export const weightOf = (hasCode: boolean): number => (hasCode ? CONTRACT_WEIGHT : 1)

/** What a payer may have in flight and wasted together. It grows by one per settled payment of at least the floor. */
export const allowanceOf = ({ credit }: PayerRecord, { start, most }: ExposureRules): number =>
  Math.max(start, Math.min(most, start + credit))

/** Whether a payer has settled too little to be trusted. New payers share one budget, since each is free to create. */
export const isNewPayer = ({ credit }: PayerRecord, hasCode: boolean, { start }: ExposureRules): boolean =>
  credit < start * (hasCode ? CONTRACT_PROBATION : 1)
