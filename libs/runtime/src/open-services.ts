import { randomUUID } from 'node:crypto'
import type { BusSettings } from '@callboard/bus'
import type { Database, EventTables } from '@callboard/store'
import { systemClock } from '@callboard/values'
import type { ServiceContext } from './context.ts'
import { DatabaseClock } from './databases/database-clock.ts'
import { applyMigrations, type Deployment, requireMigrated, untilMigrated } from './databases/migrations.ts'
import { type Marked, untilReconciled } from './databases/restored.ts'
import { publisher } from './events/publishing.ts'
import type { Readiness } from './health/readiness.ts'
import { RightsWatch } from './health/rights-watch.ts'
import { ServerWatch } from './health/server-watch.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { ServiceModule } from './service.ts'
import type { RuntimeConfig } from './settings/settings.ts'
import {
  openBus,
  openCounters,
  openNotifications,
  openServiceDatabase,
  reportingUnreachable,
  serversOf,
} from './shared-resources.ts'
import { isCommand, type StartOptions } from './start-options.ts'
import { readBacklog } from './telemetry/backlog-gauges.ts'
import type { Logger } from './telemetry/log.ts'
import type { Metrics } from './telemetry/metrics.ts'
import { readServers } from './telemetry/server-gauges.ts'

/** A service with its resources. */
export interface OpenedService {
  readonly module: ServiceModule
  readonly ctx: ServiceContext
  readonly database: Database<EventTables> | undefined
}

/** The parts of a start that opening needs. */
export interface Opening {
  readonly config: RuntimeConfig
  readonly options: StartOptions
  readonly log: Logger
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly life: Lifecycle
}

export type OpenedServices = Awaited<ReturnType<typeof openServices>>

/**
 * Opens what the services share, waits until their schemas are migrated and reconciled, and gives each its context and
 * its own resources.
 * @param configs of the modules, in their order
 */
export async function openServices(modules: readonly ServiceModule[], configs: readonly unknown[], opening: Opening) {
  const { config, options, log, metrics, readiness, life } = opening
  const { counters, bus, databases, notifications } = await openShared(modules, opening)
  const [first] = databases.values()
  const deployment = { modules, databases, bus }
  const servers = new ServerWatch(serversOf(config, { counters, bus, database: first }))
  const rights = new RightsWatch(deployment)
  readiness.onDoubt(() => rights.doubt())
  readBacklog(metrics, deployment)
  readServers(metrics, servers)
  const marked = { databases, counters, log }
  await untilUsable(deployment, marked, opening)

  notifications?.start()
  if (notifications) life.onStop(() => notifications.stop())
  const clock = options.clock ?? (first ? await databaseClock(first, log, life) : systemClock)
  const shared = { notifications, counters, metrics, readiness, bus, newId: () => randomUUID() }
  const services: OpenedService[] = []
  for (const [index, module] of modules.entries()) {
    const { name } = module
    const database = databases.get(name)
    const own = database ? clock : (options.clock ?? systemClock)
    const { db, pool, sessions } = database ?? {}
    const base = {
      ...{ ...shared, name, config: configs[index], db, pool, sessions, clock: own },
      log: log.child({ service: name }),
      ...publisher(module, own),
    }
    const resources = await module.open?.(base as never)
    if (resources?.close) life.onStop(resources.close)
    services.push({ module, ctx: { ...base, resources } as unknown as ServiceContext, database })
  }
  // Marks in a process's own memory end with it, as does a Postgres that it embeds.
  const keeps = { keepsMarks: Boolean(config.REDIS_URL), keptDays: config.NATS_STREAM_MAX_AGE_DAYS }
  return { services, notifications, servers, rights, marked, ...keeps, ...deployment }
}

/** Opens the servers that the services share. */
async function openShared(modules: readonly ServiceModule[], { config, options, log, life }: Opening) {
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
  return { counters, bus, databases, notifications: first && openNotifications(config, first, log) }
}

/** Resolves when the schemas are migrated, and reconciled where one was restored. A command does not wait. */
async function untilUsable(deployment: Deployment, marked: Marked, { config, options, log, life }: Opening) {
  if (isCommand(options)) return requireMigrated(deployment)
  if (config.MIGRATIONS === 'apply') await applyMigrations(deployment)
  else await untilMigrated(deployment, log, (lacks) => life.waitFor(lacks))
  await untilReconciled(marked, (restored) => life.waitFor(restored))
}

async function databaseClock({ db }: Database<EventTables>, log: Logger, life: Lifecycle): Promise<DatabaseClock> {
  const clock = new DatabaseClock(db as never, log, systemClock)
  // A database that is unavailable now is compared later.
  await clock.compare().catch(() => {})
  life.onStop(clock.keep())
  return clock
}
