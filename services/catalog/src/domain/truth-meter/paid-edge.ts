import type { Evidence } from './patterns.ts'

/** One wallet's payments to one payee in two weeks, calls only. */
export interface PaidEdge {
  readonly payer: string
  readonly payTo: string
  readonly calls: number
  /** How many of the calls are below the floor. */
  readonly dust: number
  /** Millionths of a USD, rounded down. */
  readonly volume: bigint
  /** Ten-minute slots with calls. */
  readonly slots: number
  /** UTC days with calls. */
  readonly days: number
  /** Calls in slots with 25 or more. */
  readonly hurried: number
}

/** An edge as one text. */
export const edgeName = ({ payer, payTo }: Pick<PaidEdge, 'payer' | 'payTo'>): string => `${payer} ${payTo}`

/** The calls of a week and of the one before, by which the week is judged, and what is known about the wallets. */
export interface PaidWeek {
  readonly edges: readonly PaidEdge[]
  /** The payout wallet behind a payee that is a deployed splitter. */
  readonly walletBehind: ReadonlyMap<string, string>
  /** Edges by `edgeName` between two addresses of one seller: every call on them is of a listing that named both. */
  readonly withinSellers: ReadonlySet<string>
  /** For how many other payers an address submitted calls to the chain. */
  readonly settlesFor: ReadonlyMap<string, number>
}

/** The same with the edges by payer and payee. */
export interface Edges extends PaidWeek {
  readonly byPayer: ReadonlyMap<string, readonly PaidEdge[]>
  readonly byPayee: ReadonlyMap<string, readonly PaidEdge[]>
  /** The wallet that receives a payee's money: the payout wallet of a splitter, otherwise the payee itself. */
  readonly walletOf: (payTo: string) => string
}

export const arranged = (week: PaidWeek): Edges => ({
  ...week,
  byPayer: Map.groupBy(week.edges, ({ payer }) => payer),
  byPayee: Map.groupBy(week.edges, ({ payTo }) => payTo),
  walletOf: (payTo) => week.walletBehind.get(payTo) ?? payTo,
})

export const callsOf = (edges: readonly PaidEdge[]): number => edges.reduce((sum, { calls }) => sum + calls, 0)

const volumeOf = (edges: readonly PaidEdge[]): bigint => edges.reduce((sum, { volume }) => sum + volume, 0n)

/**
 * The share of some edges in the volume of all. Rules compare by it: calls of next to nothing cost nothing, so with them
 * anyone could make a rival's customers look invented, and a seller its own genuine.
 */
export function volumeShare(some: readonly PaidEdge[], all: readonly PaidEdge[]): number {
  const whole = volumeOf(all)
  return whole === 0n ? 0 : Number(volumeOf(some)) / Number(whole)
}

/** Up to this many calls in two weeks, by a seller or a facilitator to itself, count as tests. */
export const TEST_CALLS = 3

/** The edges that a rule names, which are set aside, with the evidence. */
export type Named = ReadonlyMap<PaidEdge, Evidence>
