import { HOUR_MS } from '@callboard/values'
import type { AnyContext } from '../context.ts'
import { every } from './jobs.ts'

/**
 * A job that deletes every hour what is older than a time, portion by portion, so that others wait for none of them long.
 * @param keptMs how long it is kept
 * @param deletes each deletes a portion, and returns whether there may be more
 */
export const forgetting = <K extends AnyContext>(
  name: string,
  keptMs: number,
  ...deletes: readonly ((db: K['db'], before: Date) => Promise<boolean>)[]
) =>
  every<K>(name, HOUR_MS, async ({ db, clock }, signal) => {
    const before = new Date(clock.now() - keptMs)
    for (const portion of deletes) while ((await portion(db, before)) && !signal.aborted);
  })
