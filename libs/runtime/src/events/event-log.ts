import { adoptLog } from '@callboard/store'
import { MINUTE_MS } from '@callboard/values'
import type { Kysely } from 'kysely'
import { consumersOf, type Deployment } from '../databases/migrations.ts'
import { pause } from '../jobs/jobs.ts'
import type { Logger } from '../telemetry/log.ts'

const EVERY_MS = 5_000
/** How often the outboxes are compared with the log even if it has not changed. */
const ANYWAY_MS = 5 * MINUTE_MS

/**
 * Watches the bus's log: restores streams and consumers that the broker has lost, and republishes every outbox to a log
 * other than the one it was published to.
 * @param keptDays how long the bus keeps events
 * @returns a function that stops it
 */
export function keepEventLog(deployment: Deployment, keptDays: number, log: Logger): () => Promise<void> {
  const stopping = new AbortController()
  const kept = (async () => {
    let seen: Seen | undefined
    while (!stopping.signal.aborted) {
      seen = await keep(deployment, keptDays, log, seen).catch((error: unknown) => {
        log.warn({ err: error }, 'the event log could not be checked')
        return undefined
      })
      await pause(EVERY_MS, stopping.signal)
    }
  })()
  return async () => {
    stopping.abort()
    await kept
  }
}

/** The log that the outboxes were compared with, and when. */
interface Seen {
  readonly identity: string
  readonly at: number
}

async function keep(
  { modules, databases, bus }: Deployment,
  keptDays: number,
  log: Logger,
  seen: Seen | undefined,
): Promise<Seen> {
  const consumers = consumersOf(modules)
  const lacks = await bus.events.lacks(consumers)
  if (lacks.length > 0) {
    log.error({ lacks }, 'the broker lost what events need; it is made again')
    await bus.events.prepare(consumers)
  }
  const identity = await bus.events.identity()
  if (seen?.identity === identity && performance.now() - seen.at < ANYWAY_MS) return seen
  for (const { name, publishes } of modules) {
    const database = publishes.length > 0 ? databases.get(name) : undefined
    if (!database) continue
    const again = await adoptLog(database.db as unknown as Kysely<never>, identity, keptDays)
    if (again > 0) log.warn({ service: name, events: again }, 'the log is another one: events are published again')
  }
  return { identity, at: performance.now() }
}
