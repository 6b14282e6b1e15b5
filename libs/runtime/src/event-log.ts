import { adoptLog } from '@callboard/store'
import type { Kysely } from 'kysely'
import { pause } from './jobs.ts'
import type { Logger } from './log.ts'
import { consumersOf, type Deployment } from './migrations.ts'

const EVERY_MS = 5_000

/**
 * Watches over the bus's log: restores streams and consumers that the broker has lost, and has every outbox published
 * again to a log that is not the one it was published to.
 * @returns how to stop
 */
export function keepEventLog(deployment: Deployment, log: Logger): () => Promise<void> {
  const stopping = new AbortController()
  const kept = (async () => {
    while (!stopping.signal.aborted) {
      await keep(deployment, log).catch((error: unknown) =>
        log.warn({ err: error }, 'the event log could not be checked'),
      )
      await pause(EVERY_MS, stopping.signal)
    }
  })()
  return async () => {
    stopping.abort()
    await kept
  }
}

async function keep({ modules, databases, bus }: Deployment, log: Logger): Promise<void> {
  const consumers = consumersOf(modules)
  const lacks = await bus.events.lacks(consumers)
  if (lacks.length > 0) {
    log.error({ lacks }, 'the broker lost what events need; it is made again')
    await bus.events.prepare(consumers)
  }
  const identity = await bus.events.identity()
  for (const { name, publishes } of modules) {
    const database = publishes.length > 0 ? databases.get(name) : undefined
    if (!database) continue
    const again = await adoptLog(database.db as unknown as Kysely<never>, identity)
    if (again > 0) log.warn({ service: name, events: again }, 'the log is another one: events are published again')
  }
}
