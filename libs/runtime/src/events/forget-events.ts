import { deleteSuperseded, type EventTables, forgetClaims } from '@callboard/store'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { Kysely } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { every, type Recurring } from '../jobs/jobs.ts'
import type { ServiceModule } from '../service.ts'

/** How much longer than the bus keeps an event it stays claimed: a source restored from a backup publishes it again. */
const CLAIMED_LONGER_DAYS = 30

/**
 * Deletes every hour what no rebuild and no consumer can need any more: superseded events once the bus would have
 * dropped them, and the claims of events that cannot come again (docs/adr/0141). Replicas may do it at once.
 * @param keptDays how long the bus keeps events
 */
export const forgetEvents = (
  { supersedes, consumes }: Pick<ServiceModule, 'supersedes' | 'consumes'>,
  keptDays: number,
): Recurring<ServiceContext> =>
  every<ServiceContext>('forget-events', HOUR_MS, async (ctx, signal) => {
    const db = ctx.db as unknown as Kysely<EventTables>
    const now = ctx.clock.now()
    for (const events of supersedes) {
      let after: number | undefined = 0
      while (after !== undefined && !signal.aborted) {
        after = await deleteSuperseded(db, events, new Date(now - keptDays * DAY_MS), after)
      }
    }
    if (consumes.length === 0) return
    const claimedBefore = new Date(now - (keptDays + CLAIMED_LONGER_DAYS) * DAY_MS)
    while ((await forgetClaims(db, claimedBefore)) && !signal.aborted);
  })
