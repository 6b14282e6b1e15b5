import { randomUUID } from 'node:crypto'
import type { Bus, BusSettings } from '@callboard/bus'
import type { Database, EventTables, Notifications } from '@callboard/store'
import { type Clock, systemClock } from '@callboard/values'
import { startAdmin } from './admin.ts'
import { readBacklog } from './backlog-gauges.ts'
import { type Env, readLiveConfigs } from './config.ts'
import { consumeEvents } from './consuming.ts'
import type { ServiceContext } from './context.ts'
import { DatabaseClock } from './database-clock.ts'
import { keepEventLog } from './event-log.ts'
import { forgetEvents } from './forget-events.ts'
import { Lifecycle } from './lifecycle.ts'
import { createLogger, type Logger } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { applyMigrations, requireMigrated, untilMigrated } from './migrations.ts'
import { publisher, relayOutbox } from './publishing.ts'
import { Readiness } from './readiness.ts'
import { readyReport } from './ready-report.ts'
import { replayAsked } from './replays.ts'
import { keepMarks, untilReconciled } from './restored.ts'
import { RightsWatch } from './rights-watch.ts'
import { followFiles } from './rotation.ts'
import { readReady, readServers } from './server-gauges.ts'
import { ServerWatch } from './server-watch.ts'
import type { ServiceModule } from './service.ts'
import { caller, serveOperations } from './serving.ts'
import { type RuntimeConfig, runtimeConfigOf } from './settings.ts'
import {
  openBus,
  openCounters,
  openNotifications,
  openServiceDatabase,
  reportingUnreachable,
  serversOf,
} from './shared-resources.ts'
import { within } from './within.ts'

export interface StartOptions {
  readonly env: Env
  readonly log?: Logger
  readonly clock?: Clock
  /** Waits between attempts at an event; tests shorten them. */
  readonly eventBackoff?: readonly number[]
  /** False: no event waits to be batched, for tests that send many. */
  readonly eventsLinger?: boolean
  /**
   * Serves operations within the process and nothing else: no events, no jobs, no edge, no migrations, and not the bus
   * at `NATS_URL`, whose requests are for the instance. For a command that works on the tables of an instance which may
   * be running at the same time.
   */
  readonly operationsOnly?: boolean
  /** Opens everything but serves nothing: for a command whose tables must not answer requests yet. */
  readonly servesNothing?: boolean
}

export interface Running {
  readonly log: Logger
  readonly metrics: Metrics
  /** 0 without an admin port. */
  readonly adminPort: number
  readonly bus: Bus
  /** Absent where no service has a database. */
  readonly notifications: Notifications | undefined
  /** The context of each service, by name. */
  readonly contexts: ReadonlyMap<string, ServiceContext>
  /** Rejects when a part fails for good; the process then ends. */
  readonly failed: Promise<never>
  /** Stops in reverse order; work in flight finishes within the grace time. */
  stop(): Promise<void>
}

/** A service with its resources. */
interface Opened {
  readonly module: ServiceModule
  readonly ctx: ServiceContext
  readonly database: Database<EventTables> | undefined
}

/**
 * Starts services in one process, in the given order: called services before their callers. Everything started is
 * stopped in reverse order, at the end or when a later step fails.
 * @throws ConfigError with every wrong setting, before anything is opened
 */
export async function startServices(modules: readonly ServiceModule[], options: StartOptions): Promise<Running> {
  const { configs: read, live } = readLiveConfigs(
    [runtimeConfigOf(modules), ...modules.map((module) => module.config)],
    options.env,
  )
  const [shared, ...configs] = read
  const config = shared as RuntimeConfig
  const log = options.log ?? createLogger(config.LOG_LEVEL)
  const metrics = createMetrics()
  const readiness = new Readiness()
  const life = new Lifecycle(config, log)
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  let opened: OpenedAll | undefined

  const report = async () =>
    life.phase === 'ready' && opened
      ? await readyReport(opened, readiness)
      : { notReady: [life.phase, ...life.waitsFor], notes: [] }
  readReady(metrics, modules, report)

  async function openAdmin(): Promise<number> {
    const { port, close } = await startAdmin({
      port: config.ADMIN_PORT,
      host: config.ADMIN_HOST,
      registry: metrics.registry,
      report,
      beforeMetrics: () => metrics.collectors.collect(),
    })
    life.onStop(close)
    return port
  }

  try {
    // The admin port opens first and closes last, so that it shows what happens in between.
    const adminPort = isCommand(options) ? 0 : await openAdmin()
    life.onStop(followFiles(live, config.SECRETS_LOOK_MS, { log, metrics }))
    opened = await openAll(modules, configs, { config, options, log, metrics, readiness, life })
    const { services, bus, notifications } = opened
    if (!options.servesNothing) for (const { module, ctx } of services) life.onStopWithin(serveOperations(module, ctx))
    await bus.settle()
    if (!isCommand(options)) await putToWork(opened, life, { log, fail: failure.reject, linger: options.eventsLinger })
    const contexts = new Map(services.map(({ module, ctx }) => [module.name, ctx]))
    const stop = () => life.stop()
    return { log, metrics, adminPort, bus, notifications, contexts, failed: failure.promise, stop }
  } catch (error) {
    await life.stop()
    throw error
  }
}

/** Whether it runs next to the processes of an instance. */
const isCommand = ({ operationsOnly, servesNothing }: StartOptions): boolean =>
  operationsOnly === true || servesNothing === true

interface Working {
  readonly log: Logger
  readonly fail: (error: Error) => void
  /** False: no event waits for others. */
  readonly linger: boolean | undefined
}

/** Starts everything but the operations: events, outboxes and jobs, and the edges last. */
async function putToWork(opened: OpenedAll, life: Lifecycle, { log, fail, linger }: Working): Promise<void> {
  const { services } = opened
  for (const { module, ctx } of services) life.onStopWithin(await consumeEvents(module, ctx, linger))
  // Not earlier: an event relayed before its consumers exist would miss them.
  for (const { module, ctx, database } of services) {
    if (database && module.publishes.length > 0) life.onStop(relayOutbox(ctx, database))
  }
  if (services.some(({ module }) => module.publishes.length + module.consumes.length > 0)) {
    life.onStop(keepEventLog(opened, opened.keptDays, log))
  }
  if (opened.keepsMarks) life.onStop(keepMarks(opened.marked, fail))
  life.onStopWithin(runJobs(services, opened.keptDays, fail))
  for (const { module, ctx } of services) {
    const edge = await module.edge?.({ ...ctx, call: caller(module, ctx) } as never)
    if (edge) life.onDrain(edge)
  }
  life.becomeReady()
}

interface Opening {
  readonly config: RuntimeConfig
  readonly options: StartOptions
  readonly log: Logger
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly life: Lifecycle
}

type OpenedAll = Awaited<ReturnType<typeof openAll>>

/** Opens what the services share, migrates their schemas, and gives each its context and its own resources. */
async function openAll(
  modules: readonly ServiceModule[],
  configs: readonly unknown[],
  { config, options, log, metrics, readiness, life }: Opening,
) {
  const counters = openCounters(config, options.clock ?? systemClock, log)
  life.onStop(() => counters.close())
  const settings: BusSettings = {
    ...(options.eventBackoff ? { backoff: options.eventBackoff } : {}),
    onUnreachable: reportingUnreachable(log, (reasons) => life.waitFor(reasons)),
  }
  // A process that serves nothing signs in as the migration step does.
  const onBus = options.operationsOnly ? { ...config, NATS_URL: undefined } : config
  const bus = await openBus(onBus, options.servesNothing ? [] : modules, settings)
  life.waitFor([])
  life.onStop(() => bus.close())

  const databases = new Map<string, Database<EventTables>>()
  for (const { name, migrations } of modules) {
    if (!migrations) continue
    const database = openServiceDatabase(config, name, log)
    life.onStop(() => database.close())
    databases.set(name, database)
  }
  const [first] = databases.values()
  const notifications = first && openNotifications(config, first, log)
  const deployment = { modules, databases, bus }
  const servers = new ServerWatch(serversOf(config, { counters, bus, database: first }))
  const rights = new RightsWatch(deployment)
  readiness.onDoubt(() => rights.doubt())
  readBacklog(metrics, deployment)
  readServers(metrics, servers)
  if (isCommand(options)) await requireMigrated(deployment)
  else if (config.MIGRATIONS === 'apply') await applyMigrations(deployment)
  else await untilMigrated(deployment, log, (lacks) => life.waitFor(lacks))
  const marked = { databases, counters, log }
  if (!isCommand(options)) await untilReconciled(marked, (restored) => life.waitFor(restored))

  notifications?.start()
  if (notifications) life.onStop(() => notifications.stop())
  const shared = options.clock ?? (first ? await databaseClock(first, log, life) : systemClock)
  const services: Opened[] = []
  for (const [index, module] of modules.entries()) {
    const database = databases.get(module.name)
    const clock = database ? shared : (options.clock ?? systemClock)
    const base = {
      name: module.name,
      config: configs[index],
      db: database?.db,
      pool: database?.pool,
      sessions: database?.sessions,
      notifications,
      counters,
      clock,
      log: log.child({ service: module.name }),
      metrics,
      readiness,
      bus,
      newId: () => randomUUID(),
      ...publisher(module, clock),
    }
    const resources = await module.open?.(base as never)
    if (resources?.close) life.onStop(resources.close)
    services.push({ module, ctx: { ...base, resources } as unknown as ServiceContext, database })
  }
  // Marks in a process's own memory end with it, as does a Postgres that it embeds.
  const keeps = { keepsMarks: Boolean(config.REDIS_URL), keptDays: config.NATS_STREAM_MAX_AGE_DAYS }
  return { services, notifications, servers, rights, marked, ...keeps, ...deployment }
}

async function databaseClock({ db }: Database<EventTables>, log: Logger, life: Lifecycle): Promise<DatabaseClock> {
  const clock = new DatabaseClock(db as never, log, systemClock)
  // A database that is unavailable now is compared later.
  await clock.compare().catch(() => {})
  life.onStop(clock.keep())
  return clock
}

/**
 * Starts the jobs of all services.
 * @returns a function that ends them together: each may be waiting for a server that hangs, and their waits must not add up
 */
function runJobs(
  services: readonly Opened[],
  keptDays: number,
  fail: (error: Error) => void,
): (deadlineMs: number) => Promise<void> {
  const ends = services.flatMap((one) => jobsOf(one, keptDays).map((job) => runJob(job, one, fail)))
  return async (deadlineMs) => {
    await within(deadlineMs, Promise.all(ends.map((end) => end())))
  }
}

function jobsOf({ module, ctx }: Opened, keptDays: number): ServiceModule['jobs'] {
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
  { module, ctx }: Opened,
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
