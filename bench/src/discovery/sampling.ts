import { cpus } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Times of single pieces of work in milliseconds, and their cost. */
export interface Sample {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** CPU per piece in milliseconds, by the given counter. */
  readonly cpuMs: number
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/**
 * Runs a piece for each subject, one after the other, after a tenth of them as a warm-up.
 * @param cpuMs the CPU time so far of the process that does the work
 */
export async function sampled<Subject>(
  subjects: readonly Subject[],
  piece: (subject: Subject) => unknown,
  cpuMs: () => number,
): Promise<Sample> {
  for (const subject of subjects.slice(0, Math.ceil(subjects.length / 10))) await piece(subject)
  const times: number[] = []
  const before = cpuMs()
  for (const subject of subjects) {
    const start = performance.now()
    const made = piece(subject)
    if (made instanceof Promise) await made
    times.push(performance.now() - start)
  }
  const used = cpuMs() - before
  times.sort((a, b) => a - b)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share)) as [number, number, number]
  return { p50, p95, p99, cpuMs: used / subjects.length }
}

/** The CPU time of this process so far. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** The memory of this process in MiB, without garbage: its heap, and the arrays outside it. */
export function heldMegabytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

/** Starts watching this machine's cores. @returns a function for the share of time since then in which they worked */
export function watchCores(): () => number {
  const before = coreTimes()
  return () => {
    const { busyMs, idleMs } = coreTimes()
    const busy = busyMs - before.busyMs
    return busy / (busy + idleMs - before.idleMs)
  }
}

function coreTimes(): { busyMs: number; idleMs: number } {
  const times = cpus().map((core) => core.times)
  const sum = (of: (one: (typeof times)[number]) => number) => times.reduce((total, one) => total + of(one), 0)
  return { busyMs: sum(({ user, nice, sys, irq }) => user + nice + sys + irq), idleMs: sum(({ idle }) => idle) }
}
