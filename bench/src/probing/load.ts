/** The cost of probes. */
export interface ProbeCost {
  readonly perSecond: number
  readonly cpuMicros: number
}

const WARM_UP_MS = 1_500
const COUNTED_MS = 6_000

/**
 * Runs a piece of work repeatedly, some at once, and counts after a warm-up.
 * @param probes how many probes one piece makes
 * @param cpuMs the CPU time so far of the probing process
 */
export async function underLoad(
  concurrency: number,
  piece: () => Promise<unknown>,
  cpuMs: () => number,
  probes = 1,
): Promise<ProbeCost> {
  let done = 0
  const stretch = async (ms: number) => {
    const end = performance.now() + ms
    const worker = async () => {
      while (performance.now() < end) {
        await piece()
        done += probes
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
  }
  await stretch(WARM_UP_MS)
  done = 0
  const before = { wall: performance.now(), cpu: cpuMs() }
  await stretch(COUNTED_MS)
  return {
    perSecond: (done * 1_000) / (performance.now() - before.wall),
    cpuMicros: ((cpuMs() - before.cpu) * 1_000) / done,
  }
}

/** CPU time of this process so far. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
