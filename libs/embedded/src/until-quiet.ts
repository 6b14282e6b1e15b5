interface QuietOptions {
  /** How long nothing must have happened. */
  readonly ms: number
  /** How long to wait for that. */
  readonly mostMs: number
  /** @returns false where nobody waits any more */
  readonly wait: (ms: number) => Promise<boolean>
  /** Whether it happened since it was last asked. */
  readonly happened: () => boolean
}

const LEAST_MS = 10

/** Resolves once nothing has happened for so long, or after a while: work that others would wait for can begin. */
export async function untilQuiet({ ms, mostMs, wait, happened }: QuietOptions): Promise<void> {
  const step = Math.max(LEAST_MS, ms)
  for (let waited = 0; waited < mostMs; waited += step) if (!(await wait(step)) || !happened()) return
}
