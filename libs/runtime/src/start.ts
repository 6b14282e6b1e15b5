import { randomUUID } from 'node:crypto'
import { type Bus, type BusSettings, localBus, natsBus } from '@callboard/bus'
import type { EventDeclaration } from '@callboard/contract'
import {
  type Counters,
  type Database,
  type EventTables,
  memoryCounters,
  migrate,
  OutboxRelay,
  openDatabase,
  redisCounters,
} from '@callboard/store'
import { type Clock, isoTime, systemClock } from '@callboard/values'
import type { Kysely } from 'kysely'
import { type Admin, startAdmin } from './admin.ts'
import { type Env, readConfigs } from './config.ts'
import { consumeEvents } from './consuming.ts'
import type { Kit } from './kit.ts'
import { createLogger, type Logger } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { publisher } from './publishing.ts'
import type { ServiceModule } from './service.ts'
import { caller, serveOperations } from './serving.ts'
import { RuntimeConfig } from './settings.ts'

export interface StartOptions {
  readonly env: Env
  readonly log?: Logger
  readonly clock?: Clock
  /** Waits between attempts at an event; tests shorten them. */
  readonly eventBackoff?: readonly number[]
  /** Makes the bus in place of `NATS_URL`; the composition root and tests share one bus that way. */
  readonly makeBus?: (settings: BusSettings) => Promise<Bus>
  /**
   * Serves operations and nothing else: no events, no jobs, no door. For a command that works on the tables of an
   * instance which may be running beside it.
   */
  readonly operationsOnly?: boolean
}

export interface Running {
  readonly log: Logger
  readonly metrics: Metrics
  readonly adminPort: number
  readonly bus: Bus
  /** What each service has at hand, by name. */
  readonly kits: ReadonlyMap<string, Kit>
  /** Rejects when a part fails for good; a process ends then. */
  readonly failed: Promise<never>
  /** Stops in reverse order; work in flight is finished within the grace time. */
  stop(): Promise<void>
}

/** The schema of a service's tables. */
export const schemaOf = (service: string): string => service.replaceAll('-', '_')

/**
 * Starts services in one process, in the given order: those that are called before those that call.
 * @throws ConfigError with every wrong setting, before anything is opened
 */
export async function startServices(modules: readonly ServiceModule[], options: StartOptions): Promise<Running> {
  const [shared, ...configs] = readConfigs([RuntimeConfig, ...modules.map((module) => module.config)], options.env)
  const config = shared as RuntimeConfig
  const log = options.log ?? createLogger(config.LOG_LEVEL)
  const metrics = createMetrics()
  const clock = options.clock ?? systemClock
  const undo: (() => Promise<void>)[] = []
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  let draining = false

  async function stop(): Promise<void> {
    draining = true
    for (const step of undo.splice(0).reverse()) {
      await step().catch((error: unknown) => log.error({ err: error }, 'a part did not stop cleanly'))
    }
  }

  try {
    const counters: Counters = config.REDIS_URL
      ? redisCounters(config.REDIS_URL, (error) => log.warn({ err: error }, 'redis is away'))
      : memoryCounters(clock)
    undo.push(() => counters.close())
    const settings = options.eventBackoff ? { backoff: options.eventBackoff } : {}
    const bus = await openBus(config, modules, options, settings)
    undo.push(() => bus.close())

    const databases = new Map<string, Database<EventTables>>()
    for (const module of modules) {
      if (!module.migrations) continue
      const database = openDatabase<EventTables>({
        url: config.DATABASE_URL,
        schema: schemaOf(module.name),
        maxConnections: config.DATABASE_POOL_SIZE,
        onError: (error) => log.warn({ err: error, service: module.name }, 'an idle connection was lost'),
      })
      undo.push(() => database.close())
      databases.set(module.name, database)
      await migrate(database.db as unknown as Kysely<never>, database.schema, module.migrations)
    }
    const consumers = modules.flatMap((module) =>
      module.consumes.map(({ event }) => ({ service: module.name, event: event as EventDeclaration })),
    )
    await bus.events.prepare(
      modules.flatMap((module) => [...module.publishes]),
      consumers,
    )

    const running: { module: ServiceModule; kit: Kit }[] = []
    for (const [index, module] of modules.entries()) {
      const database = databases.get(module.name)
      const base = {
        name: module.name,
        config: configs[index],
        db: database?.db,
        pool: database?.pool,
        counters,
        clock,
        log: log.child({ service: module.name }),
        metrics,
        bus,
        newId: () => randomUUID(),
        ...publisher(module, clock),
      }
      const parts = await module.open?.(base as never)
      if (parts?.close) undo.push(parts.close)
      running.push({ module, kit: { ...base, parts } as unknown as Kit })
    }

    for (const { module, kit } of running) {
      const stopServing = serveOperations(module, kit)
      undo.push(() => stopServing(config.SHUTDOWN_GRACE_MS))
    }
    await bus.settle()
    const kits = new Map(running.map(({ module, kit }) => [module.name, kit]))
    if (options.operationsOnly) return { log, metrics, adminPort: 0, bus, kits, failed: failure.promise, stop }
    for (const { module, kit } of running) {
      const stopConsuming = await consumeEvents(module, kit)
      undo.push(() => stopConsuming(config.SHUTDOWN_GRACE_MS))
    }
    for (const { module, kit } of running) {
      const database = databases.get(module.name)
      if (!database || module.publishes.length === 0) continue
      const relay = new OutboxRelay({
        pool: database.pool,
        schema: database.schema,
        db: database.db as unknown as Kysely<EventTables>,
        onError: (error) => kit.log.warn({ err: error }, 'the outbox could not be relayed'),
        publish: ({ occurredAt, traceparent, ...event }) =>
          bus.events.publish({
            ...event,
            source: module.name,
            occurredAt: isoTime(occurredAt.getTime()),
            ...(traceparent ? { traceparent } : {}),
          }),
      })
      relay.start()
      undo.push(() => relay.stop())
    }
    for (const { module, kit } of running) {
      for (const job of module.jobs) {
        const stopping = new AbortController()
        const ended = job
          .run({ ...kit, call: caller(module, kit) } as never, stopping.signal)
          .catch((error: unknown) =>
            failure.reject(new Error(`Job ${job.name} of ${module.name} failed`, { cause: error })),
          )
        undo.push(async () => {
          stopping.abort()
          await ended
        })
      }
    }
    for (const { module, kit } of running) {
      if (!module.edge) continue
      const close = await module.edge({ ...kit, call: caller(module, kit) } as never)
      undo.push(() => close(config.SHUTDOWN_GRACE_MS))
    }
    const admin: Admin = await startAdmin({
      port: config.ADMIN_PORT,
      host: config.ADMIN_HOST,
      registry: metrics.registry,
      notReady: async () => (draining ? ['draining'] : await whyNotReady(bus, [...databases.values()])),
      beforeMetrics: () => measureOutboxes(databases, metrics),
    })
    undo.push(() => admin.close())
    return { log, metrics, adminPort: admin.port, bus, kits, failed: failure.promise, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function openBus(
  config: RuntimeConfig,
  modules: readonly ServiceModule[],
  options: StartOptions,
  settings: BusSettings,
): Promise<Bus> {
  if (options.makeBus) return options.makeBus(settings)
  if (!config.NATS_URL) return Promise.resolve(localBus(settings))
  return natsBus(config.NATS_URL, modules.map((module) => module.name).join(','), settings)
}

async function whyNotReady(bus: Bus, databases: readonly Database<EventTables>[]): Promise<string[]> {
  const reasons: string[] = []
  if (!bus.connected) reasons.push('the bus is away')
  const first = databases[0]
  if (first) await first.pool.query('select 1').catch((error: Error) => reasons.push(`postgres: ${error.message}`))
  return reasons
}

async function measureOutboxes(databases: ReadonlyMap<string, Database<EventTables>>, metrics: Metrics): Promise<void> {
  for (const [service, { pool }] of databases) {
    const { rows } = await pool.query<{ waiting: number; oldest: number; dead: number }>(
      `select (select count(*) from outbox where published_at is null) as waiting,
              (select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8
                 from outbox where published_at is null) as oldest,
              (select count(*) from dead_letter) as dead`,
    )
    metrics.outboxWaiting.set({ service }, rows[0]?.waiting ?? 0)
    metrics.outboxOldestSeconds.set({ service }, rows[0]?.oldest ?? 0)
    metrics.deadLetters.set({ service }, rows[0]?.dead ?? 0)
  }
}
