import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bus, BusSettings } from '@callboard/bus'
import type { Database, EventTables } from '@callboard/store'
import { type Clock, systemClock } from '@callboard/values'
import { startAdmin } from './admin.ts'
import { type Env, readConfigs } from './config.ts'
import { consumeEvents } from './consuming.ts'
import { keepEventLog } from './event-log.ts'
import type { Kit } from './kit.ts'
import { createLogger, type Logger } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { applyMigrations, untilMigrated } from './migrations.ts'
import { publisher, relayOutbox } from './publishing.ts'
import { whyNotReady } from './readiness.ts'
import type { Edge, ServiceModule } from './service.ts'
import { caller, serveOperations } from './serving.ts'
import { type RuntimeConfig, runtimeConfigOf } from './settings.ts'
import { openBus, openCounters, openServiceDatabase } from './shared-parts.ts'
import { readStanding } from './standing-gauges.ts'

export interface StartOptions {
  readonly env: Env
  readonly log?: Logger
  readonly clock?: Clock
  /** Waits between attempts at an event; tests shorten them. */
  readonly eventBackoff?: readonly number[]
  /**
   * Serves operations and nothing else: no events, no jobs, no door. For a command that works on the tables of an
   * instance which may be running beside it.
   */
  readonly operationsOnly?: boolean
}

export interface Running {
  readonly log: Logger
  readonly metrics: Metrics
  /** 0 where there is no admin port. */
  readonly adminPort: number
  readonly bus: Bus
  /** What each service has at hand, by name. */
  readonly kits: ReadonlyMap<string, Kit>
  /** Rejects when a part fails for good; a process ends then. */
  readonly failed: Promise<never>
  /** Stops in reverse order; work in flight is finished within the grace time. */
  stop(): Promise<void>
}

/** A service that has its parts. */
interface Opened {
  readonly module: ServiceModule
  readonly kit: Kit
  readonly database: Database<EventTables> | undefined
}

/**
 * Starts services in one process, in the given order: those that are called before those that call. What was started is
 * stopped again, backwards, at the end or when something on the way fails.
 * @throws ConfigError with every wrong setting, before anything is opened
 */
export async function startServices(modules: readonly ServiceModule[], options: StartOptions): Promise<Running> {
  const [shared, ...configs] = readConfigs(
    [runtimeConfigOf(modules), ...modules.map((module) => module.config)],
    options.env,
  )
  const config = shared as RuntimeConfig
  const log = options.log ?? createLogger(config.LOG_LEVEL)
  const metrics = createMetrics()
  const undo: (() => Promise<void>)[] = []
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  let phase: 'starting' | 'ready' | 'draining' = 'starting'
  let opened: Awaited<ReturnType<typeof openAll>> | undefined

  const edges: Edge[] = []

  async function stop(): Promise<void> {
    if (phase === 'ready' && edges.length > 0) {
      phase = 'draining'
      for (const edge of edges) edge.drain()
      await wait(config.SHUTDOWN_DELAY_MS)
    }
    phase = 'draining'
    for (const step of undo.splice(0).reverse()) {
      await step().catch((error: unknown) => log.error({ err: error }, 'a part did not stop cleanly'))
    }
  }
  /** Notes how to undo a step that needs the grace time. */
  const undoWithin = (step: (deadlineMs: number) => Promise<void>) => undo.push(() => step(config.SHUTDOWN_GRACE_MS))

  async function openAdmin() {
    const port = await startAdmin({
      port: config.ADMIN_PORT,
      host: config.ADMIN_HOST,
      registry: metrics.registry,
      notReady: async () => (phase === 'ready' && opened ? await whyNotReady(opened.bus, opened.databases) : [phase]),
      beforeMetrics: () => metrics.readings.take(),
    })
    undo.push(() => port.close())
    return port
  }

  try {
    // The admin port opens first and closes last, so that it tells what goes on meanwhile.
    const admin = options.operationsOnly ? undefined : await openAdmin()
    opened = await openAll(modules, configs, { config, options, log, metrics, undo })
    const { services, bus } = opened
    const kits = new Map(services.map(({ module, kit }) => [module.name, kit]))
    const running = { log, metrics, bus, kits, failed: failure.promise, stop }

    const serveAll = async () => {
      for (const { module, kit } of services) undoWithin(serveOperations(module, kit))
      await bus.settle()
    }
    await serveAll()
    if (!admin) return { ...running, adminPort: 0 }
    for (const { module, kit } of services) undoWithin(await consumeEvents(module, kit))
    // Only now: an event that is relayed before its consumers are there would miss them.
    for (const { module, kit, database } of services) {
      if (database && module.publishes.length > 0) undo.push(relayOutbox(kit, database))
    }
    if (services.some(({ module }) => module.publishes.length + module.consumes.length > 0)) {
      undo.push(keepEventLog(opened, log))
    }
    for (const one of services) undo.push(...runJobs(one, failure.reject))
    for (const { module, kit } of services) {
      const edge = await module.edge?.({ ...kit, call: caller(module, kit) } as never)
      if (!edge) continue
      edges.push(edge)
      undoWithin((deadlineMs) => edge.close(deadlineMs))
    }
    phase = 'ready'
    return { ...running, adminPort: admin.port }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Opening {
  readonly config: RuntimeConfig
  readonly options: StartOptions
  readonly log: Logger
  readonly metrics: Metrics
  readonly undo: (() => Promise<void>)[]
}

/** Opens what the services share, brings their schemas up to date, and gives each its kit and its own parts. */
async function openAll(
  modules: readonly ServiceModule[],
  configs: readonly unknown[],
  { config, options, log, metrics, undo }: Opening,
) {
  const clock = options.clock ?? systemClock
  const counters = openCounters(config, clock, log)
  undo.push(() => counters.close())
  const settings: BusSettings = options.eventBackoff ? { backoff: options.eventBackoff } : {}
  const bus = await openBus(config, modules, settings)
  undo.push(() => bus.close())

  const databases = new Map<string, Database<EventTables>>()
  for (const { name, migrations } of modules) {
    if (!migrations) continue
    const database = openServiceDatabase(config, name, log)
    undo.push(() => database.close())
    databases.set(name, database)
  }
  const standing = { modules, databases, bus }
  readStanding(metrics, standing)
  if (config.MIGRATIONS === 'apply') await applyMigrations(standing)
  else await untilMigrated(standing, log)

  const services: Opened[] = []
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
    services.push({ module, kit: { ...base, parts } as unknown as Kit, database })
  }
  return { services, ...standing }
}

/** Starts a service's jobs. @returns how to stop each */
function runJobs({ module, kit }: Opened, fail: (error: Error) => void): (() => Promise<void>)[] {
  return module.jobs.map((job) => {
    const stopping = new AbortController()
    const ended = job
      .run({ ...kit, call: caller(module, kit) } as never, stopping.signal)
      .catch((error: unknown) => fail(new Error(`Job ${job.name} of ${module.name} failed`, { cause: error })))
    return async () => {
      stopping.abort()
      await ended
    }
  })
}
