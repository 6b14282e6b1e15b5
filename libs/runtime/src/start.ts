import type { Bus } from '@callboard/bus'
import type { Notifications } from '@callboard/store'
import type { ServiceContext } from './context.ts'
import { keepMarks } from './databases/restored.ts'
import { consumeEvents } from './events/consuming.ts'
import { keepEventLog } from './events/event-log.ts'
import { relayOutbox } from './events/publishing.ts'
import { startAdmin } from './health/admin.ts'
import { Readiness } from './health/readiness.ts'
import { readyReport } from './health/ready-report.ts'
import { runJobs } from './jobs/run-jobs.ts'
import { waitUntilClear } from './jobs/wait-until-clear.ts'
import { Lifecycle } from './lifecycle.ts'
import { type OpenedServices, openServices } from './open-services.ts'
import { reasonOf } from './reason-of.ts'
import type { ServiceModule } from './service.ts'
import { caller, serveOperations } from './serving.ts'
import { readLiveConfigs } from './settings/config.ts'
import { followFiles } from './settings/rotation.ts'
import { type RuntimeConfig, runtimeConfigOf } from './settings/settings.ts'
import { isCommand, type StartOptions } from './start-options.ts'
import { createLogger, type Logger } from './telemetry/log.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import { readReady } from './telemetry/server-gauges.ts'

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
  let opened: OpenedServices | undefined

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
    opened = await openServices(modules, configs, { config, options, log, metrics, readiness, life })
    const { services, bus, notifications } = opened
    if (!options.servesNothing) for (const { module, ctx } of services) life.onStopWithin(serveOperations(module, ctx))
    await untilReachable(bus, life, log)
    if (!isCommand(options)) await putToWork(opened, life, { log, fail: failure.reject, linger: options.eventsLinger })
    const contexts = new Map(services.map(({ module, ctx }) => [module.name, ctx]))
    const stop = () => life.stop()
    return { log, metrics, adminPort, bus, notifications, contexts, failed: failure.promise, stop }
  } catch (error) {
    await life.stop()
    throw error
  }
}

/** Until every process on the bus can reach what is served, which NATS may be lost before. */
const untilReachable = (bus: Bus, life: Lifecycle, log: Logger): Promise<void> =>
  waitUntilClear({
    ask: () =>
      bus.settle().then(
        () => [],
        (error: unknown) => [`nats: ${reasonOf(error)}`],
      ),
    told: (reasons) => life.waitFor(reasons),
    log: (reasons) => log.error({ reasons }, 'waiting for NATS'),
  })

interface Working {
  readonly log: Logger
  readonly fail: (error: Error) => void
  /** False: no event waits for others. */
  readonly linger: boolean | undefined
}

/** Starts everything but the operations: events, outboxes and jobs, and the edges last. */
async function putToWork(opened: OpenedServices, life: Lifecycle, { log, fail, linger }: Working): Promise<void> {
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
