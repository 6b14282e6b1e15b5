import type { Operation } from '@callboard/contract'
import type { AnyContext, Calling, Recurring } from '@callboard/runtime'

/**
 * Runs a job once, now.
 * @param laterMs as if this much time had passed
 * @throws what the run throws
 */
export async function runOnce<K extends AnyContext, Callees extends Operation = never>(
  job: Recurring<K, Callees>,
  ctx: K & Calling<Callees>,
  laterMs = 0,
): Promise<void> {
  const clock = { now: () => ctx.clock.now() + laterMs }
  await job.once(Object.create(ctx, { clock: { value: clock } }), new AbortController().signal)
}
