import { setTimeout as wait } from 'node:timers/promises'
import type { Operation } from '@callboard/contract'
import { SECOND_MS } from '@callboard/values'
import type { AnyContext, Calling, Job } from '../context.ts'
import { PollTimer, type Waking } from './poll-timer.ts'
import { atWholeSecond } from './whole-second.ts'

/** A job of separate runs, each with a beginning and an end. */
export interface Recurring<K extends AnyContext, out Callees extends Operation = never> extends Job<K, Callees> {
  /** One run, in addition to the scheduled ones. @throws what the run throws */
  readonly once: (ctx: K & Calling<Callees>, signal: AbortSignal) => Promise<void>
}

/**
 * A job that runs repeatedly, `everyMs` from end to start; from a second on it varies by up to half a second, so that
 * jobs share a turn. An error is logged and counted, and the next run comes as scheduled.
 */
export function every<K extends AnyContext, Callees extends Operation = never>(
  name: string,
  everyMs: number | ((ctx: K) => number),
  work: (ctx: K & Calling<Callees>, signal: AbortSignal) => Promise<void>,
): Recurring<K, Callees> {
  return {
    name,
    once: work,
    async run(ctx, signal) {
      const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs(ctx)
      while (!signal.aborted) {
        await attempt(ctx, name, signal, () => work(ctx, signal))
        await rest(pauseMs, signal)
      }
    },
  }
}

/**
 * A job that polls when a commit of any replica wakes it, and when something is due; a lost notification costs no more
 * than a sweep (docs/adr/0066). An error is logged and counted, and the poll repeated after a beat.
 * @param look resolves to the milliseconds until something is due, or to undefined where nothing waits
 */
export function whenWoken<K extends AnyContext, Callees extends Operation = never>(
  name: string,
  waking: (ctx: K) => Waking,
  look: (ctx: K & Calling<Callees>, signal: AbortSignal) => Promise<number | undefined>,
): Recurring<K, Callees> {
  return {
    name,
    async once(ctx, signal) {
      await look(ctx, signal)
    },
    async run(ctx, signal) {
      const timer = new PollTimer(ctx.notifications, waking(ctx))
      while (!signal.aborted) {
        timer.begin()
        const seen = await attempt(ctx, name, signal, () => look(ctx, signal))
        await timer.next(seen.ok ? seen.value : 0, signal)
      }
      timer.end()
    },
  }
}

type Attempt<Result> = { readonly ok: true; readonly value: Result } | { readonly ok: false }

async function attempt<Result>(
  ctx: AnyContext,
  job: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Attempt<Result>> {
  try {
    const value = await work()
    ctx.metrics.jobRuns.inc({ service: ctx.name, job, outcome: 'ok' })
    return { ok: true, value }
  } catch (error) {
    if (!signal.aborted) {
      ctx.readiness.failed(error)
      ctx.metrics.jobRuns.inc({ service: ctx.name, job, outcome: 'failed' })
      ctx.log.error({ err: error, job }, 'a run of the job failed')
    }
    return { ok: false }
  }
}

/** Waits, or returns at once when the signal aborts. A wait of a second or more ends in a turn shared with others. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms < SECOND_MS) return pause(ms, signal)
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const leave = () => {
    end()
    resolve()
  }
  const end = atWholeSecond(ms, () => {
    signal.removeEventListener('abort', leave)
    resolve()
  })
  signal.addEventListener('abort', leave, { once: true })
  return promise
}

/** Waits, or returns at once when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {})
}
