import type { Bus } from '@callboard/bus'
import { adoptLog, type Database, type EventTables, latestPublished } from '@callboard/store'
import { MINUTE_MS } from '@callboard/values'
import type { Kysely } from 'kysely'
import { consumersOf, type Deployment } from '../databases/migrations.ts'
import { pause } from '../jobs/jobs.ts'
import type { Logger } from '../telemetry/log.ts'
import { envelopeOf } from './publishing.ts'

const EVERY_MS = 5_000
/** How often the outboxes are compared with the log even if it has not changed. */
const ANYWAY_MS = 5 * MINUTE_MS
/** More than the two minutes after which nats-server writes to its disk, unless told otherwise. */
const UNWRITTEN_MS = 5 * MINUTE_MS

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
    let known: Seen | undefined
    while (!stopping.signal.aborted) {
      seen = await keep(deployment, keptDays, log, { seen, known, signal: stopping.signal }).catch((error: unknown) => {
        log.warn({ err: error }, 'the event log could not be checked')
        return undefined
      })
      known = seen ?? known
      await pause(EVERY_MS, stopping.signal)
    }
  })()
  return async () => {
    stopping.abort()
    await kept
  }
}

/** The log that the outboxes were compared with, the server that had it, and when. */
interface Seen {
  readonly identity: string
  readonly server: string | undefined
  readonly at: number
}

interface Looks {
  /** The last look; undefined where it failed. */
  readonly seen: Seen | undefined
  /** The last one that did not fail. */
  readonly known: Seen | undefined
  readonly signal: AbortSignal
}

async function keep(
  { modules, databases, bus }: Deployment,
  keptDays: number,
  log: Logger,
  { seen, known, signal }: Looks,
): Promise<Seen> {
  const consumers = consumersOf(modules)
  const lacks = await bus.events.lacks(consumers)
  if (lacks.length > 0) {
    log.error({ lacks }, 'the broker lost what events need; it is made again')
    await bus.events.prepare(consumers)
  }
  const identity = await bus.events.identity()
  const { server } = bus.events
  const isSame = seen?.identity === identity && seen.server === server
  if (isSame && performance.now() - seen.at < ANYWAY_MS) return seen
  for (const { name, publishes } of modules) {
    const database = publishes.length > 0 ? databases.get(name) : undefined
    if (!database) continue
    const again = await adoptLog(database.db as unknown as Kysely<never>, identity, keptDays)
    if (again > 0) log.warn({ service: name, events: again }, 'the log is another one: events are published again')
    if (server === undefined || known?.server === server) continue
    const sinceMs = UNWRITTEN_MS + (known ? performance.now() - known.at : UNWRITTEN_MS)
    await assure({ name, database, bus, sinceMs }, signal)
  }
  return { identity, server, at: performance.now() }
}

interface Assuring {
  readonly name: string
  readonly database: Database<EventTables>
  readonly bus: Bus
  readonly sinceMs: number
}

/**
 * Publishes the latest events again to a server that has started since, perhaps after a power cut: it ignores those that
 * it has, and what it had not written to its disk is there again. Consumers know what they handled (docs/adr/0145).
 */
async function assure({ name, database, bus, sinceMs }: Assuring, signal: AbortSignal): Promise<void> {
  for await (const page of latestPublished(database.db, sinceMs)) {
    if (signal.aborted) return
    await bus.events.publishInOrder(page.map((event) => envelopeOf(name, event)))
  }
}
