import { cpuTimeMs } from '../cpu-time.ts'
import { percentile } from '../discovery/sampling.ts'

export interface Load {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU per piece in the counted processes, in milliseconds. */
  readonly cpuMs: number
}

/** Works through the subjects, some at a time; the first tenth is a warm-up. Times in milliseconds. */
export async function closedLoop<Subject>(
  subjects: readonly Subject[],
  piece: (subject: Subject) => Promise<unknown>,
  { atOnce, pids }: { readonly atOnce: number; readonly pids: readonly number[] },
): Promise<Load> {
  const warm = Math.ceil(subjects.length / 10)
  await inParallel(subjects.slice(0, warm), piece, atOnce)
  const counted = subjects.slice(warm)
  const spentMs = () => pids.reduce((sum, pid) => sum + cpuTimeMs(pid), 0)
  const [start, before] = [performance.now(), spentMs()]
  const times = await inParallel(counted, piece, atOnce)
  const [wallMs, cpuMs] = [performance.now() - start, spentMs() - before]
  times.sort((a, b) => a - b)
  return {
    perSecond: (counted.length * 1_000) / wallMs,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpuMs: cpuMs / counted.length,
  }
}

/** @returns the time that each took */
export async function inParallel<Subject>(
  subjects: readonly Subject[],
  piece: (subject: Subject) => Promise<unknown>,
  atOnce: number,
): Promise<number[]> {
  const left = subjects.values()
  const times: number[] = []
  const worker = async () => {
    for (const subject of left) {
      const start = performance.now()
      await piece(subject)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return times
}
