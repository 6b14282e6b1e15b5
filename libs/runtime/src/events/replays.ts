import { type EventTables, endReplay, nextReplayMs, replaysChannel, takeReplay } from '@callboard/store'
import { MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { Kysely } from 'kysely'
import type { Job, ServiceContext } from '../context.ts'
import { whenWoken } from '../jobs/jobs.ts'
import { reasonOf } from '../reason-of.ts'
import type { ServiceModule } from '../service.ts'
import { schemaOf } from '../shared-resources.ts'
import { replayDeadLetter } from './dead-letters.ts'

/** The operator who requests a replay waits for its end, and would ask again. */
const SWEEP_MS = 5 * MINUTE_MS

/**
 * Replays what operators request, in a process of the service itself: there the consumer has its usual settings and
 * resources. One of several processes does it; if it is killed, another takes over the request.
 */
export const replayAsked = (module: ServiceModule): Job<ServiceContext> =>
  whenWoken<ServiceContext>(
    'replay-dead-letters',
    ({ name }) => ({ channels: [replaysChannel(schemaOf(name))], pollMs: SECOND_MS, sweepMs: SWEEP_MS }),
    async (ctx) => {
      const db = ctx.db as unknown as Kysely<EventTables>
      let dueInMs = await nextReplayMs(db)
      while (dueInMs !== undefined && dueInMs <= 0 && (await replayNext(module, ctx, db))) {
        ctx.log.info('a dead letter was taken up that an operator asked for')
        dueInMs = await nextReplayMs(db)
      }
      return dueInMs
    },
  )

async function replayNext(module: ServiceModule, ctx: ServiceContext, db: Kysely<EventTables>): Promise<boolean> {
  const request = await takeReplay(db)
  if (!request) return false
  const failure = await replayDeadLetter(ctx, { module, ...request }).then(() => null, reasonOf)
  await endReplay(db, request.eventId, failure)
  return true
}
