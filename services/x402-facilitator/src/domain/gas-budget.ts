import { type Address, HOUR_MS, MINUTE_MS } from '@callboard/values'

/**
 * How a payment is served when gas runs low: the payee is that of a live listing, or ours; the request came with a
 * credential; or neither.
 */
export type Priority = 'listed' | 'keyed' | 'anonymous'

/** Payers that have not settled enough to answer for themselves, in sum. */
export type NewPayers = 'new_payers' | 'new_contracts'

/** Whose gas is counted. A subject of `chain` and of the sums is the empty text. */
export type Scope = 'chain' | 'payee' | 'requester' | 'owner' | NewPayers

/** `spent` is all gas; `wasted` is gas that bought nothing: what reverted, expired, came too late, or moved dust. */
export type Measure = 'spent' | 'wasted'

/** Gas per window. Two windows hold at once. */
export interface Windows<T> {
  readonly hour: T
  readonly day: T
}

/** Percents of a chain's budget. */
export interface GasShares {
  /** What only listed payees are served from; half of it also serves who has a key. */
  readonly kept: number
  /** What payments to one payee without listing or key may spend, and those of one requester's network. */
  readonly payee: number
  readonly requester: number
  /** What the holder of keys may spend. */
  readonly key: number
  /** What new payers may waste of one payee, requester's network, or key holder. */
  readonly wasted: number
  /** What all new payers without code, and all with code, may waste together. */
  readonly newPayers: number
  readonly newContracts: number
}

export interface GasRules {
  /** Gas of a chain. */
  readonly budget: Windows<number>
  readonly shares: GasShares
}

/** A payment as far as gas is counted. */
export interface GasUser {
  readonly payTo: Address
  /** Network of the requester, IPv4 /24 or IPv6 /48; null for requests that come from inside. */
  readonly origin: string | null
  /** Who holds the request's credential. */
  readonly sponsor: Address | null
  readonly priority: Priority
  /** Null for a payer that answers for itself. */
  readonly newPayer: NewPayers | null
}

/** Where a payment's gas is counted. */
export interface Account {
  readonly scope: Scope
  readonly subject: string
}

export const accountKey = ({ scope, subject }: Account): string => `${scope}/${subject}`

/** Every account that a payment's gas is booked on: the chain, whom it serves, who asked, and the sum of new payers. */
export const accountsOf = ({ payTo, origin, sponsor, newPayer }: Omit<GasUser, 'priority'>): Account[] => [
  { scope: 'chain', subject: '' },
  sponsor ? { scope: 'owner', subject: sponsor } : { scope: 'payee', subject: payTo },
  ...(origin ? [{ scope: 'requester', subject: origin } as const] : []),
  ...(newPayer ? [{ scope: newPayer, subject: '' } as const] : []),
]

/** A limit that holds for a payment: of an account and a measure, in percent of the chain's budget. */
export interface GasLimit extends Account {
  readonly measure: Measure
  readonly percent: number
}

/**
 * The limits of a payment. A payer that is known is bounded by its own exposure and wastes no other's budget, so that
 * new payers cannot close an honest seller to the buyers it has; a listed payee is bounded by the sums alone.
 */
export const limitsOf = (user: GasUser, shares: GasShares): GasLimit[] =>
  accountsOf(user).flatMap((account) =>
    percentsOf(account.scope, user, shares).map(([measure, percent]) => ({ ...account, measure, percent })),
  )

function percentsOf(scope: Scope, { priority, newPayer }: GasUser, shares: GasShares): [Measure, number][] {
  const ceiling = ceilingOf(priority, shares)
  const wasted: [Measure, number][] = newPayer ? [['wasted', shares.wasted]] : []
  switch (scope) {
    case 'chain':
      return [['spent', 100 * ceiling]]
    case 'owner':
      return priority === 'listed' ? wasted : [['spent', shares.key], ...wasted]
    case 'payee':
      return priority === 'listed' ? [] : [['spent', shares.payee], ...wasted]
    case 'requester':
      return priority === 'anonymous' ? [['spent', shares.requester], ...wasted] : wasted
    case 'new_payers':
      return [['wasted', shares.newPayers * ceiling]]
    case 'new_contracts':
      return [['wasted', shares.newContracts * ceiling]]
  }
}

/** How much of a budget a priority may use up; the rest is kept for those who are served before it. */
function ceilingOf(priority: Priority, { kept }: GasShares): number {
  const left = { listed: 0, keyed: kept / 2, anonymous: kept }[priority]
  return 1 - left / 100
}

/** Budgets are counted in pieces of time, of which the one that is only half within the window counts whole. */
export const PIECE_MS = 10 * MINUTE_MS
const WINDOW_MS: Windows<number> = { hour: HOUR_MS, day: 24 * HOUR_MS }

/** The piece of time that gas is booked on. */
export const pieceOf = (now: number): Date => new Date(now - (now % PIECE_MS))

/** The first piece that counts in each window. */
export const windowsAt = (now: number): Windows<Date> => ({
  hour: pieceOf(now - WINDOW_MS.hour),
  day: pieceOf(now - WINDOW_MS.day),
})

/** Seconds until the next piece leaves the windows, and with it what was spent in it. */
export const secondsToNextPiece = (now: number): number => Math.ceil((PIECE_MS - (now % PIECE_MS)) / 1000)
