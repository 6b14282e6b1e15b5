import { setTimeout as wait } from 'node:timers/promises'
import type { Operation } from '@callboard/contract'
import type { AnyContext, Calling, Job } from './context.ts'

/**
 * A job that runs again and again, `everyMs` from end to start. A run that throws is logged and counted, and the next
 * one comes in its time.
 */
export function every<K extends AnyContext, Callees extends Operation = never>(
  name: string,
  everyMs: number | ((ctx: K) => number),
  work: (ctx: K & Calling<Callees>, signal: AbortSignal) => Promise<void>,
): Job<K, Callees> {
  return {
    name,
    async run(ctx, signal) {
      const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs(ctx)
      while (!signal.aborted) {
        try {
          await work(ctx, signal)
          ctx.metrics.jobRuns.inc({ service: ctx.name, job: name, outcome: 'ok' })
        } catch (error) {
          if (signal.aborted) return
          ctx.metrics.jobRuns.inc({ service: ctx.name, job: name, outcome: 'failed' })
          ctx.log.error({ err: error, job: name }, 'a run of the job failed')
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
