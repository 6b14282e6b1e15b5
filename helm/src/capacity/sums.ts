import { DAY_S, PEAK, PRICES, STREAM, shareAt, WEEK_S } from './assumptions.ts'
import { connectionsOfAReplica, quantity, valuesOf } from './chart-values.ts'
import { cpuCosts, published } from './costs-of-work.ts'
import { counted } from './measured.ts'
import type { Week } from './week.ts'

const HOURS = 168
const MIB_PER_GIB = 1_024
const LOOK_S = 60

/** The average share of the peak over the week. */
export function meanShare(): number {
  let sum = 0
  for (let second = 0; second < WEEK_S; second += LOOK_S) sum += shareAt(second)
  return sum / (WEEK_S / LOOK_S)
}

/** Targets that the example does not scale, at their fixed replicas. */
export const FIXED = ['oauth', 'agents', 'listings'] as const

/** Connections to Postgres by hour of the week: each replica of a target with tables may open its pool and one more. */
export function connections(weeks: readonly Week[], hasTables: (target: string) => boolean): number[] {
  const each = connectionsOfAReplica()
  const fixed = FIXED.reduce((sum, target) => sum + valuesOf(target).replicas, 0)
  const scaled = weeks.filter(({ target }) => hasTables(target))
  return Array.from(
    { length: HOURS },
    (_, hour) => each * (fixed + scaled.reduce((sum, { hours }) => sum + (hours[hour] ?? 0), 0)),
  )
}

/** The cost of a target's resource requests for a week, in USD. */
export function weekUsd(target: string, replicaHours: number): number {
  const { cpu, memory } = valuesOf(target).resources.requests
  const hourUsd = quantity(cpu) * PRICES.coreHour + (quantity(memory) / MIB_PER_GIB) * PRICES.gibHour
  return replicaHours * hourUsd
}

/** The CPU cost in USD of a million calls of each kind, in our processes only, without Postgres, NATS and Redis. */
export function millionUsd(): Readonly<Record<'search' | 'payment' | 'modelCall', number>> {
  const { search, payment, modelCall } = cpuCosts()
  const sum = (all: Readonly<Record<string, number>>) => Object.values(all).reduce((total, ms) => total + ms, 0)
  const pieces = STREAM.seconds * STREAM.pieces
  const stream = Object.values(modelCall).reduce((total, { call, piece }) => total + call + piece * pieces, 0)
  const usd = (ms: number) => ((ms * 1e6) / 3.6e6) * PRICES.coreHour
  return { search: usd(sum(search)), payment: usd(sum(payment)), modelCall: usd(stream) }
}

const PAYMENT = 'A payment, everything that is done meanwhile'

/** JSON-RPC calls per payment. @param row of the table, such as `JSON-RPC calls` */
export const rpcCalls = (row: string): { readonly alone: number; readonly together: number; readonly idle: number } => {
  const of = (column: string) => counted('payment-cost', { table: PAYMENT, row, column })
  return { alone: of('one after the other (100)'), together: of('16 at once (320)'), idle: of('idle, a second') }
}

/** Messages and bytes published on NATS per second, by cause, at the peak. */
export const traffic = (): readonly (readonly [string, number, number])[] =>
  (
    [
      ['at rest, a second', 1],
      ['a search', PEAK.searches],
      ['a payment', PEAK.payments],
    ] as const
  ).map(([row, rate]) => [row, rate * published(row, 'messages'), rate * published(row, 'bytes')] as const)

/** Calls of all kinds in a week, in millions. */
export const weekMillions = (): number =>
  (meanShare() * 7 * DAY_S * (PEAK.searches + PEAK.payments + PEAK.modelCalls)) / 1e6
