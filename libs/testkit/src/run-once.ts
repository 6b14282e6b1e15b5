import type { AnyContext, Job } from '@callboard/runtime'

/**
 * Runs the work of a job once. What it throws is logged and counted, as in a service.
 * @param laterMs as if so much time had passed
 */
export async function runOnce(job: Job<never>, ctx: AnyContext, laterMs = 0): Promise<void> {
  const clock = { now: () => ctx.clock.now() + laterMs }
  const over = new AbortController()
  const running = job.run(Object.create(ctx, { clock: { value: clock } }) as never, over.signal)
  over.abort()
  await running
}
