import { type Bus, type BusSettings, localBus, natsBus, type StreamSettings } from '@callboard/bus'
import {
  type Counters,
  type Database,
  type EventTables,
  memoryCounters,
  Notifications,
  openDatabase,
  type Pooler,
  redisCounters,
} from '@callboard/store'
import type { Clock } from '@callboard/values'
import { buildOf } from './build.ts'
import type { WatchedServer } from './health/server-watch.ts'
import { reasonOf } from './reason-of.ts'
import type { ServiceModule } from './service.ts'
import { directDatabaseUrl, type RuntimeConfig } from './settings/settings.ts'
import type { Logger } from './telemetry/log.ts'

/** Counters by `REDIS_URL`; without it, in this process. */
export const openCounters = (config: RuntimeConfig, clock: Clock, log: Logger): Counters => {
  const { REDIS_URL: url } = config
  return url
    ? redisCounters(
        () => config.REDIS_URL ?? url,
        (error) => log.warn({ err: error }, 'redis is unavailable'),
      )
    : memoryCounters(clock)
}

/** The migration step's name on the bus: it runs no service. */
const MIGRATE = 'migrate'

/**
 * Reports that a start waits for NATS: every failed attempt, and in the log each reason once, as an error, since a command
 * next to an instance logs nothing less.
 * @param told called with what it waits for, in words
 */
export function reportingUnreachable(log: Logger, told: (reasons: readonly string[]) => void) {
  let logged = ''
  return (error: Error) => {
    const reason = reasonOf(error)
    told([`nats: ${reason}`])
    if (reason !== logged) log.error({ reason }, 'waiting for NATS')
    logged = reason
  }
}

/** The bus by `NATS_URL`; without it, in this process. */
export async function openBus(
  config: RuntimeConfig,
  modules: readonly ServiceModule[],
  given: BusSettings,
): Promise<Bus> {
  const { NATS_URL: servers, LARGE_REQUESTS_BYTES: largeRequestsBytes } = config
  const stream: StreamSettings = {
    replicas: config.NATS_STREAM_REPLICAS,
    maxAgeDays: config.NATS_STREAM_MAX_AGE_DAYS,
    maxBytes: config.NATS_STREAM_MAX_BYTES,
  }
  const settings = { ...given, largeRequestsBytes, stream }
  const name = modules.map((module) => module.name).join(',') || MIGRATE
  return servers ? natsBus(() => config.NATS_URL ?? servers, name, settings) : localBus(settings)
}

/** The schema of a service's tables. */
export const schemaOf = (service: string): string => service.replaceAll('-', '_')

/** The pooler in front of Postgres, if any. */
const poolerOf = (config: RuntimeConfig): Pooler | undefined => {
  const { DATABASE_DIRECT_URL, DATABASE_POOLER_PREPARES: prepares } = config
  return DATABASE_DIRECT_URL === undefined ? undefined : { directUrl: () => directDatabaseUrl(config), prepares }
}

/** The settings of a process that bypasses the pooler for everything. */
export const pastPooler = (config: RuntimeConfig): RuntimeConfig => ({
  ...config,
  DATABASE_URL: directDatabaseUrl(config),
  DATABASE_DIRECT_URL: undefined,
})

/** The pool of a service for its own schema. */
export const openServiceDatabase = (config: RuntimeConfig, service: string, log: Logger): Database<EventTables> =>
  openDatabase<EventTables>({
    url: () => config.DATABASE_URL,
    pooler: poolerOf(config),
    schema: schemaOf(service),
    version: buildOf(process.env).version,
    maxConnections: config.DATABASE_POOL_SIZE,
    onError: (error) => log.warn({ err: error, service }, 'an idle connection was lost'),
  })

/** Reports commits: one connection, whichever services the process runs. */
export const openNotifications = (config: RuntimeConfig, { pool }: Database<EventTables>, log: Logger): Notifications =>
  new Notifications({
    url: () => directDatabaseUrl(config),
    pool,
    onError: (error) => log.warn({ err: error }, 'commits are not told: jobs look on their beats'),
  })

/** A process's connections to its servers. */
interface Lines {
  readonly counters: Counters
  readonly bus: Bus
  readonly database: Database<EventTables> | undefined
}

/**
 * Asks Postgres whether it takes writes. A connection to a standby is not kept: another one may lead to the primary.
 * @throws Error also where it takes none: a standby answers everything else
 */
async function askPostgres({ pool }: Database<EventTables>): Promise<void> {
  const client = await pool.connect()
  let isOfNoUse = true
  try {
    const { rows } = await client.query<{ isReadOnly: boolean }>(
      `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
    )
    isOfNoUse = rows[0]?.isReadOnly !== false
  } finally {
    client.release(isOfNoUse)
  }
  if (isOfNoUse) throw new Error('it takes no writes, as a standby')
}

/** The servers that a process depends on, without those embedded in it. */
export function serversOf({ REDIS_URL, NATS_URL }: RuntimeConfig, { counters, bus, database }: Lines): WatchedServer[] {
  const askBus = () => (bus.connected ? bus.settle() : Promise.reject(new Error('the connection is lost')))
  return [
    ...(database ? [{ server: 'postgres' as const, ask: () => askPostgres(database) }] : []),
    ...(NATS_URL ? [{ server: 'nats' as const, ask: askBus }] : []),
    ...(REDIS_URL ? [{ server: 'redis' as const, ask: () => counters.ping() }] : []),
  ]
}
