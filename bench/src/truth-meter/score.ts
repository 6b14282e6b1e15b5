import { edgesOf } from '../../../services/catalog/src/domain/truth-meter/edges-of.ts'
import { bitsOf, judge } from '../../../services/catalog/src/domain/truth-meter/judge.ts'
import { edgeName } from '../../../services/catalog/src/domain/truth-meter/paid-edge.ts'
import { bitOf, PATTERNS } from '../../../services/catalog/src/domain/truth-meter/patterns.ts'
import { WEEK_MS, weekOf } from '../../../services/catalog/src/domain/truth-meter/week.ts'
import type { MadeSettlement, World } from './world.ts'

/** A call of less than this many millionths of a USD is dust: the default of `DUST_USD`. */
const FLOOR = 100

/** How well a pattern is detected, settlement by settlement. */
export interface Score {
  readonly pattern: string
  readonly made: number
  readonly found: number
  readonly precision: number
  readonly recall: number
}

/** The seller at an address, by the address where it is paid. */
export const sellersOf = (world: World): ReadonlyMap<string, string> =>
  new Map(world.sellers.flatMap((one) => [one.payTo, one.alsoAt].map((at) => [at, one.payTo] as const)))

/** What the rules know besides the calls: the splitters’ wallets, and the edges within one seller. */
export const worldFacts = (world: World) => ({
  walletBehind: new Map(world.sellers.filter((one) => one.wallet !== one.payTo).map((one) => [one.payTo, one.wallet])),
  withinSellers: new Set(world.sellers.map(({ payTo, alsoAt }) => edgeName({ payer: alsoAt, payTo }))),
})

/** The pattern bits of every settlement, in the order of the settlements. */
export function judged(world: World): number[] {
  const facts = worldFacts(world)
  const bits = new Map<MadeSettlement, number>()
  const weeks = Map.groupBy(world.settlements, ({ atMs }) => weekOf(atMs))
  for (const [week, ofWeek] of weeks) {
    const calls = [...(weeks.get(week - WEEK_MS) ?? []), ...ofWeek]
    const edges = edgesOf(calls.map((call) => ({ ...call, volume: BigInt(call.amount), isDust: call.amount < FLOOR })))
    const found = judge({ edges, ...facts, settlesFor: settlesFor(calls) })
    const verdicts = new Map(found.map((one) => [`${one.payer} ${one.payTo}`, bitsOf(one)]))
    for (const call of ofWeek) {
      const verdict = verdicts.get(`${call.payer} ${call.payTo}`)
      bits.set(call, (call.amount < FLOOR ? verdict?.belowFloor : verdict?.all) ?? 0)
    }
  }
  return world.settlements.map((one) => bits.get(one) ?? 0)
}

function settlesFor(calls: readonly MadeSettlement[]): Map<string, number> {
  const payersOf = new Map<string, Set<string>>()
  for (const { facilitator, payer } of calls) {
    if (facilitator !== payer) payersOf.set(facilitator, (payersOf.get(facilitator) ?? new Set()).add(payer))
  }
  return new Map([...payersOf].map(([facilitator, payers]) => [facilitator, payers.size]))
}

/** Compares detected patterns with the schemes that were made, for each pattern. */
export const scores = ({ settlements }: Pick<World, 'settlements'>, bits: readonly number[]): Score[] =>
  PATTERNS.map((pattern) => {
    let [made, found, right] = [0, 0, 0]
    for (const [at, { scheme }] of settlements.entries()) {
      const isFound = ((bits[at] ?? 0) & bitOf(pattern)) !== 0
      if (scheme === pattern) made += 1
      if (isFound) found += 1
      if (isFound && scheme === pattern) right += 1
    }
    return { pattern, made, found, precision: right / found, recall: right / made }
  })
