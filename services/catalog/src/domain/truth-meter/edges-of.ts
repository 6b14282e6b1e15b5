import { DAY_MS } from '@callboard/values'
import type { PaidEdge } from './paid-edge.ts'
import { HURRIED_CALLS, SLOT_MS } from './week.ts'

/** One call in the form that the rules count. */
export interface PaidCall {
  readonly payer: string
  readonly payTo: string
  readonly atMs: number
  /** Millionths of a USD, rounded down. */
  readonly volume: bigint
  readonly isDust: boolean
}

/** Counts calls by payer and payee: the sums that the tables keep, restated as a plain count. */
export function edgesOf(calls: Iterable<PaidCall>): PaidEdge[] {
  const counts = new Map<string, { first: PaidCall; dust: number; volume: bigint; slots: Map<number, number> }>()
  for (const call of calls) {
    const key = `${call.payer} ${call.payTo}`
    const count = counts.get(key) ?? { first: call, dust: 0, volume: 0n, slots: new Map<number, number>() }
    counts.set(key, count)
    const slot = Math.floor(call.atMs / SLOT_MS)
    count.slots.set(slot, (count.slots.get(slot) ?? 0) + 1)
    count.dust += call.isDust ? 1 : 0
    count.volume += call.volume
  }
  return [...counts.values()].map(({ first: { payer, payTo }, dust, volume, slots }) => {
    const inSlots = [...slots.values()]
    return {
      ...{ payer, payTo, dust, volume, slots: slots.size },
      calls: inSlots.reduce((sum, calls) => sum + calls, 0),
      days: new Set([...slots.keys()].map((slot) => Math.floor((slot * SLOT_MS) / DAY_MS))).size,
      hurried: inSlots.reduce((sum, calls) => sum + (calls >= HURRIED_CALLS ? calls : 0), 0),
    }
  })
}
