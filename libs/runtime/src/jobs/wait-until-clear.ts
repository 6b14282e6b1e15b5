import { pause } from './jobs.ts'

const AGAIN_MS = 1_000

/** A condition that a process polls before it goes on. */
export interface Waiting {
  /** What it must wait for, in words; empty when it may go on. */
  readonly ask: () => Promise<readonly string[]>
  /** Called with each answer. */
  readonly told: (reasons: readonly string[]) => void
  /** Called with each answer that differs from the previous one. */
  readonly log: (reasons: readonly string[]) => void
}

/** Resolves when there is nothing to wait for. @throws what `ask` throws */
export async function waitUntilClear({ ask, told, log }: Waiting): Promise<void> {
  let logged = ''
  for (;;) {
    const reasons = await ask()
    told(reasons)
    if (reasons.length === 0) return
    if (reasons.join() !== logged) log(reasons)
    logged = reasons.join()
    await pause(AGAIN_MS, new AbortController().signal)
  }
}
