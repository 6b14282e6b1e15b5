import { setTimeout as wait } from 'node:timers/promises'
import type { Operation } from '@callboard/contract'
import type { AnyKit, Call, Job } from './kit.ts'

/**
 * A job that runs again and again, `everyMs` from end to start. A run that throws is logged and counted, and the next
 * one comes in its time.
 */
export function every<K extends AnyKit, Callees extends Operation = never>(
  name: string,
  everyMs: number | ((kit: K) => number),
  work: (kit: K & { readonly call: Call<Callees> }, signal: AbortSignal) => Promise<void>,
): Job<K, Callees> {
  return {
    name,
    async run(kit, signal) {
      const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs(kit)
      while (!signal.aborted) {
        try {
          await work(kit, signal)
          kit.metrics.jobRuns.inc({ service: kit.name, job: name, outcome: 'ok' })
        } catch (error) {
          if (signal.aborted) return
          kit.metrics.jobRuns.inc({ service: kit.name, job: name, outcome: 'failed' })
          kit.log.error({ err: error, job: name }, 'a run of the job failed')
        }
        await pause(pauseMs, signal)
      }
    },
  }
}

/** Waits, or returns at once when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {})
}
