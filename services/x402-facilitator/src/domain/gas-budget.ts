import { type Address, HOUR_MS, MINUTE_MS } from '@callboard/values'

/**
 * A payment's priority when gas runs low: it is more than dust and pays us, or it is more than dust and its payee has a
 * live listing; its request carried a credential; or none of these.
 */
export type Priority = 'own' | 'listed' | 'keyed' | 'anonymous'

/** Payers that have settled too little to be trusted, in total. */
export type NewPayers = 'new_payers' | 'new_contracts'

/** Whose gas is counted. The subject of `chain` and of the two totals is the empty string. */
export type Scope = 'chain' | 'payee' | 'requester' | 'owner' | NewPayers

/** `spent` is all gas; `wasted` is gas of payments that reverted, expired, came too late, or moved dust. */
export type Measure = 'spent' | 'wasted'

/** Gas per window. Both windows apply at once. */
export interface Windows<T> {
  readonly hour: T
  readonly day: T
}

/** Percents of a chain's budget. */
export interface GasShares {
  /** Reserved for listed payees; half of it also serves requests with a key. */
  readonly kept: number
  /** What one key holder or network may spend in all, when it presents a payment to a listed payee. */
  readonly listed: number
  /** What payments without listing or key may spend, per payee and per requester's network. */
  readonly payee: number
  readonly requester: number
  /** What one holder of keys may spend, and all of one network together: a key is free. */
  readonly key: number
  /** What new payers may waste of one payee, requester's network, or key holder. */
  readonly wasted: number
  /** What all new payers may waste together: those without code, and those with. */
  readonly newPayers: number
  readonly newContracts: number
}

export interface GasRules {
  /** Gas of a chain. */
  readonly budget: Windows<number>
  readonly shares: GasShares
}

/** The parts of a payment that decide where its gas is counted. */
export interface GasUser {
  /** Null for dust, which anyone may send in a payee’s name at no cost. */
  readonly payTo: Address | null
  /** Network of the requester, IPv4 /24 or IPv6 /48; null for internal requests. */
  readonly origin: string | null
  /** The owner of the request's credential. */
  readonly sponsor: Address | null
  readonly priority: Priority
  /** Null for a payer that is no longer new. */
  readonly newPayer: NewPayers | null
}

/** A counter on which a payment's gas is booked. */
export interface Account {
  readonly scope: Scope
  readonly subject: string
}

export const accountKey = ({ scope, subject }: Account): string => `${scope}/${subject}`

/** Every account on which a payment's gas is booked: the chain, whom it serves, who asked, and the new payers' sum. */
export const accountsOf = ({ payTo, origin, sponsor, newPayer }: Omit<GasUser, 'priority'>): Account[] => [
  { scope: 'chain', subject: '' },
  ...(sponsor ? [{ scope: 'owner', subject: sponsor } as const] : []),
  ...(payTo && !sponsor ? [{ scope: 'payee', subject: payTo } as const] : []),
  ...(origin ? [{ scope: 'requester', subject: origin } as const] : []),
  ...(newPayer ? [{ scope: newPayer, subject: '' } as const] : []),
]

/** A limit that applies to a payment: of an account and a measure, in percent of the chain's budget. */
export interface GasLimit extends Account {
  readonly measure: Measure
  readonly percent: number
}

/**
 * The limits of a payment. A known payer is bounded by its own exposure and wastes no one else's budget, so that new
 * payers cannot cut an honest seller off from its existing buyers. Anyone may pay a listed payee, so that is bounded by
 * the totals alone; who presents payments to listed payees is bounded, because sellers that pay themselves get back all
 * but the fee.
 */
export const limitsOf = (user: GasUser, shares: GasShares): GasLimit[] =>
  accountsOf(user).flatMap((account) =>
    percentsOf(account.scope, user, shares).map(([measure, percent]) => ({ ...account, measure, percent })),
  )

function percentsOf(scope: Scope, { priority, newPayer }: GasUser, shares: GasShares): [Measure, number][] {
  const ceiling = ceilingOf(priority, shares)
  switch (scope) {
    case 'chain':
      return [['spent', 100 * ceiling]]
    case 'payee':
    case 'owner':
    case 'requester':
      return [...spentBy(scope, priority, shares), ...wastedBy(scope, priority, newPayer ? shares.wasted : null)]
    case 'new_payers':
      return [['wasted', shares.newPayers * ceiling]]
    case 'new_contracts':
      return [['wasted', shares.newContracts * ceiling]]
  }
}

type Party = 'payee' | 'owner' | 'requester'

/** What one party may spend. With a key, a network's share is not less than without. */
function spentBy(party: Party, priority: Priority, shares: GasShares): [Measure, number][] {
  if (priority === 'own') return []
  if (priority === 'listed') return party === 'payee' ? [] : [['spent', shares.listed]]
  const { payee, requester, key } = shares
  const ofNetwork = priority === 'keyed' ? Math.max(requester, key) : requester
  return [['spent', { payee, owner: key, requester: ofNetwork }[party]]]
}

/** New payers can waste gas in the name of any listing, so that does not count against its payee. */
const wastedBy = (party: Party, priority: Priority, share: number | null): [Measure, number][] =>
  share === null || (party === 'payee' && isFirst(priority)) ? [] : [['wasted', share]]

const isFirst = (priority: Priority): boolean => priority === 'own' || priority === 'listed'

/** The share of a budget that a priority may use up; the rest is reserved for higher priorities. */
function ceilingOf(priority: Priority, { kept }: GasShares): number {
  const left = { own: 0, listed: 0, keyed: kept / 2, anonymous: kept }[priority]
  return 1 - left / 100
}

/** Budgets are counted in pieces of time; the piece that is only partly within the window counts in full. */
export const PIECE_MS = 10 * MINUTE_MS
const WINDOW_MS: Windows<number> = { hour: HOUR_MS, day: 24 * HOUR_MS }

/** The piece of time on which gas is booked. */
export const pieceOf = (now: number): Date => new Date(now - (now % PIECE_MS))

/** The first piece that counts in each window. */
export const windowsAt = (now: number): Windows<Date> => ({
  hour: pieceOf(now - WINDOW_MS.hour),
  day: pieceOf(now - WINDOW_MS.day),
})

/** Seconds until the next piece, and what was spent in it, leaves the windows. */
export const secondsToNextPiece = (now: number): number => Math.ceil((PIECE_MS - (now % PIECE_MS)) / 1000)
