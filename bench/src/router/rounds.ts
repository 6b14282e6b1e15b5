import { closedLoop, type Load, type Work } from './closed-loop.ts'
import type { Gateway } from './gateway.ts'

/** The loads of each gateway in a round. */
export const LOADS = [
  { work: 'small', connections: 1 },
  { work: 'small', connections: 32 },
  { work: 'stream', connections: 1 },
  { work: 'stream', connections: 32 },
] as const

export type Loaded = (name: string, work: Work, connections: number) => Load

interface Rounds {
  readonly rounds: number
  readonly ms: number
  /** How long each gateway is warmed up with each load before the first round, to compile its code. */
  readonly warmUpMs: number
}

/** Time to fill the connections of a round. */
const FILL_MS = 500

/** Loads all gateways in turns, so that changes in machine speed affect all. @returns the medians of the rounds */
export async function inRounds(gateways: readonly Gateway[], { rounds, ms, warmUpMs }: Rounds): Promise<Loaded> {
  const found = new Map<string, Load[]>()
  const key = (name: string, work: Work, connections: number) => `${name} ${work} ${connections}`
  for (const gateway of gateways) {
    for (const { work, connections } of LOADS) {
      if (connections > 1) await closedLoop(gateway, work, connections, { warmUpMs: 0, ms: warmUpMs })
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { work, connections } of LOADS) {
      for (const gateway of gateways) {
        const load = await closedLoop(gateway, work, connections, { warmUpMs: FILL_MS, ms })
        const at = key(gateway.name, work, connections)
        found.set(at, [...(found.get(at) ?? []), load])
      }
    }
  }
  return (name, work, connections) => middleOf(found.get(key(name, work, connections)) ?? [])
}

/** The median of each quantity separately. */
export function middleOf(loads: readonly Load[]): Load {
  const of = (value: (load: Load) => number) => middle(loads.map(value))
  const processes = Object.keys(loads[0]?.cpuMicros ?? {})
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    firstByteP50: of(({ firstByteP50 }) => firstByteP50),
    cpuMicros: Object.fromEntries(processes.map((name) => [name, of(({ cpuMicros }) => cpuMicros[name] ?? 0)])),
  }
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
