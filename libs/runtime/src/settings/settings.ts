import { LARGE_REQUESTS_BYTES, readNatsServers, STREAM_SETTINGS } from '@callboard/bus'
import { readPostgresUrl, readRedisUrl } from '@callboard/store'
import { z } from 'zod'
import { envBoolean, envInt, rotates } from './config.ts'
import { sameServer } from './same-server.ts'
import { serverUrl } from './server-url.ts'

/** For every process whose bus carries large requests, and for the gateway, which receives them. */
export const LargeRequestsBytes = envInt(8_000_000, 4_000_000_000)
  .default(LARGE_REQUESTS_BYTES)
  .describe(
    'The most memory, in bytes, that model calls above 900 KiB may use in one process at a time. Further ones get a 503.',
  )

/** Settings of the event stream: for the migration step, and for every process that recreates a lost one. */
export const StreamConfig = z.object({
  NATS_STREAM_REPLICAS: envInt(1, 5)
    .default(STREAM_SETTINGS.replicas)
    .describe(
      'The number of NATS servers that hold the event stream and its consumers. With 3, they survive the loss of one server.',
    ),
  NATS_STREAM_MAX_AGE_DAYS: envInt(1, 3_650)
    .default(STREAM_SETTINGS.maxAgeDays)
    .describe('How many days the stream keeps an event. A consumer that has not handled the event by then loses it.'),
  NATS_STREAM_MAX_BYTES: envInt(0, Number.MAX_SAFE_INTEGER)
    .default(STREAM_SETTINGS.maxBytes)
    .describe(
      'The most bytes that the stream may hold; beyond this, the oldest events are removed. 0: as much as the server has room for.',
    ),
})
export type StreamConfig = z.output<typeof StreamConfig>

const PostgresUrl = serverUrl(readPostgresUrl, { of: /^postgres(ql)?:\/\//, must: 'must be a postgres:// URL' })

/** What every process reads, whichever services it runs. A part is selected by its URL: empty means embedded. */
export const RuntimeConfig = z.object({
  DATABASE_URL: rotates(PostgresUrl, sameServer).describe(
    'The URL of Postgres. Empty: Postgres 18 from npm runs as a child process, with its data in the data folder.',
  ),
  DATABASE_DIRECT_URL: rotates(PostgresUrl, sameServer)
    .optional()
    .describe(
      'The URL of Postgres itself, if `DATABASE_URL` is a pooler that reassigns sessions after each transaction (PgBouncer with `pool_mode=transaction`, a CloudNativePG Pooler). Everything that needs a session uses this URL: notifications, the locks of relays and leaders, and the migration step. Empty: connections to `DATABASE_URL` keep their session.',
    ),
  DATABASE_POOLER_PREPARES: envBoolean
    .default(false)
    .describe(
      'Whether the pooler at `DATABASE_URL` keeps prepared statements: PgBouncer 1.21 or newer with `max_prepared_statements`. The setting has an effect only with `DATABASE_DIRECT_URL`.',
    ),
  DATABASE_POOL_SIZE: envInt(2, 200).default(8).describe('Connections per service.'),
  NATS_URL: rotates(serverUrl(readNatsServers), sameServer)
    .optional()
    .describe(
      'NATS servers, comma-separated. They must have JetStream enabled. `nats://user:password@host` signs in; with `tls://`, only to a server that encrypts. Empty: the bus inside the process.',
    ),
  ...StreamConfig.shape,
  LARGE_REQUESTS_BYTES: LargeRequestsBytes,
  REDIS_URL: rotates(serverUrl(readRedisUrl, { of: /^rediss?:\/\//, must: 'must be a redis:// URL' }), sameServer)
    .optional()
    .describe(
      'Redis for counters and nonces. Empty: the process keeps counters in memory, which is correct for a single process only.',
    ),
  MIGRATIONS: z
    .enum(['apply', 'wait'])
    .default('apply')
    .describe(
      'What brings schemas, streams and consumers up to date. `apply`: each process, when it starts. `wait`: the migration step (`--migrate`); processes wait for it.',
    ),
  SECRETS_LOOK_MS: envInt(10, 3_600_000)
    .default(5_000)
    .describe('How often secret files (`NAME_FILE`) are reloaded, in milliseconds. New content replaces the old.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('The lowest level that is logged.'),
  ADMIN_PORT: envInt(0, 65_535)
    .default(0)
    .describe('The port of `/livez`, `/readyz` and `/metrics`. 0: any free port.'),
  ADMIN_HOST: z.string().default('127.0.0.1').describe('The address that the admin port listens on.'),
  SHUTDOWN_DELAY_MS: envInt(0, 60_000)
    .default(0)
    .describe(
      'How long the process keeps serving after SIGTERM, with `/readyz` at 503, so that load balancers notice.',
    ),
  SHUTDOWN_GRACE_MS: envInt(0, 600_000).default(30_000).describe('How long work in flight may take after SIGTERM.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('Where the process sends traces, by OTLP over HTTP. Empty: it sends none.'),
})
export type RuntimeConfig = z.output<typeof RuntimeConfig>

/** The URL of Postgres itself, bypassing the pooler if `DATABASE_URL` is one. */
export const directDatabaseUrl = (config: Pick<RuntimeConfig, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>): string =>
  config.DATABASE_DIRECT_URL ?? config.DATABASE_URL

/** What only the migration step reads, in addition to what every process reads. */
export const MigrationConfig = z.object({
  DATABASE_ROLE_PREFIX: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,39}$/, 'must be a-z, 0-9 and _, and begin with no digit')
    .optional()
    .describe(
      'Gives each service its own Postgres role: `callboard_` stands for `callboard_oauth`, `callboard_chain_indexer` and so on, which deploy/postgres/roles.sql creates. The migration step grants each role access to the rows of its own schema. Empty: all services sign in as the owner of the schemas.',
    ),
})
export type MigrationConfig = z.output<typeof MigrationConfig>

/** The settings of a process that runs these services: only services with tables need a database. */
export const runtimeConfigOf = (modules: readonly { readonly migrations?: unknown }[]) =>
  modules.some(({ migrations }) => migrations) ? RuntimeConfig : RuntimeConfig.partial({ DATABASE_URL: true })
