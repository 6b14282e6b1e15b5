import type { Evidence } from './patterns.ts'

/** What one wallet paid one payee in two weeks, calls alone. */
export interface PaidEdge {
  readonly payer: string
  readonly payTo: string
  readonly calls: number
  /** Those of the calls that are below the floor. */
  readonly dust: number
  /** Millionths of a USD, rounded down. */
  readonly volume: bigint
  /** Spells of ten minutes with calls. */
  readonly slots: number
  /** UTC days with calls. */
  readonly days: number
  /** Calls in spells that had 25 or more. */
  readonly hurried: number
}

/** The calls of a week and of the one before it, by which the week is judged, and what is known of their wallets. */
export interface PaidWeek {
  readonly edges: readonly PaidEdge[]
  /** The payout wallet behind a payee that is a deployed splitter. */
  readonly walletBehind: ReadonlyMap<string, string>
  /** Who sells at a payee: the same name for all payees of one listing. */
  readonly sellerAt: ReadonlyMap<string, string>
  /** For how many other payers an address brought calls to the chain. */
  readonly settlesFor: ReadonlyMap<string, number>
}

/** The same with the edges by their ends. */
export interface Edges extends PaidWeek {
  readonly byPayer: ReadonlyMap<string, readonly PaidEdge[]>
  readonly byPayee: ReadonlyMap<string, readonly PaidEdge[]>
  /** Whose money a payee is: the payout wallet of a splitter, otherwise the payee itself. */
  readonly walletOf: (payTo: string) => string
}

export const arranged = (week: PaidWeek): Edges => ({
  ...week,
  byPayer: Map.groupBy(week.edges, ({ payer }) => payer),
  byPayee: Map.groupBy(week.edges, ({ payTo }) => payTo),
  walletOf: (payTo) => week.walletBehind.get(payTo) ?? payTo,
})

export const callsOf = (edges: readonly PaidEdge[]): number => edges.reduce((sum, { calls }) => sum + calls, 0)

/** So many calls in two weeks of a seller or a facilitator to itself are tests. */
export const TEST_CALLS = 3

/** What a rule says of edges: those that it names are set aside. */
export type Named = ReadonlyMap<PaidEdge, Evidence>
