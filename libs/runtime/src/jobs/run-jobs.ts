import { forgetEvents } from '../events/forget-events.ts'
import { replayAsked } from '../events/replays.ts'
import type { OpenedService } from '../open-services.ts'
import type { ServiceModule } from '../service.ts'
import { caller } from '../serving.ts'
import { within } from '../within.ts'

/**
 * Starts the jobs of all services.
 * @returns a function that ends them together: each may be waiting for a server that hangs, and their waits must not add up
 */
export function runJobs(
  services: readonly OpenedService[],
  keptDays: number,
  fail: (error: Error) => void,
): (deadlineMs: number) => Promise<void> {
  const ends = services.flatMap((one) => jobsOf(one, keptDays).map((job) => runJob(job, one, fail)))
  return async (deadlineMs) => {
    await within(deadlineMs, Promise.all(ends.map((end) => end())))
  }
}

function jobsOf({ module, ctx }: OpenedService, keptDays: number): ServiceModule['jobs'] {
  const { jobs, consumes, supersedes } = module
  const ofEvents = [
    ...(consumes.length > 0 ? [replayAsked(module)] : []),
    ...(consumes.length > 0 || supersedes.length > 0 ? [forgetEvents(module, keptDays)] : []),
  ]
  return ctx.db ? [...jobs, ...ofEvents] : jobs
}

/** Starts a job. @returns a function that ends it */
function runJob(
  job: ServiceModule['jobs'][number],
  { module, ctx }: OpenedService,
  fail: (error: Error) => void,
): () => Promise<void> {
  const stopping = new AbortController()
  // Create the series at 0: a rate does not see the first failure of a series that starts with it.
  for (const outcome of ['ok', 'failed']) ctx.metrics.jobRuns.inc({ service: module.name, job: job.name, outcome }, 0)
  const ended = job
    .run({ ...ctx, call: caller(module, ctx) } as never, stopping.signal)
    .catch((error: unknown) => fail(new Error(`Job ${job.name} of ${module.name} failed`, { cause: error })))
  return async () => {
    stopping.abort()
    await ended
  }
}
