import type { Bus, ConsumerName } from '@callboard/bus'
import {
  connectedVersions,
  type Database,
  type EventTables,
  grantSchemas,
  lackingRights,
  migrate,
  pendingMigrations,
} from '@callboard/store'
import type { Kysely } from 'kysely'
import { buildOf } from '../build.ts'
import { waitUntilClear } from '../jobs/wait-until-clear.ts'
import { reasonOf } from '../reason-of.ts'
import type { ServiceModule } from '../service.ts'
import { type Env, readConfigs } from '../settings/config.ts'
import { MigrationConfig, RuntimeConfig } from '../settings/settings.ts'
import { openBus, openServiceDatabase, pastPooler, reportingUnreachable, schemaOf } from '../shared-resources.ts'
import { createLogger, type Logger } from '../telemetry/log.ts'
import { RunsBesideOthers, runsBeside } from './releases.ts'

/** What migrations operate on. */
export interface Deployment {
  readonly modules: readonly ServiceModule[]
  /** By service name; services without tables have none. */
  readonly databases: ReadonlyMap<string, Database<EventTables>>
  readonly bus: Bus
}

/** The durable consumers that the bus must hold for these services. */
export const consumersOf = (modules: readonly ServiceModule[]): ConsumerName[] =>
  modules.flatMap(({ name, consumes }) => consumes.map(({ event }) => ({ service: name, event })))

const schemas = ({ modules, databases }: Pick<Deployment, 'modules' | 'databases'>) =>
  modules.flatMap(({ name, migrations }) => {
    const database = databases.get(name)
    if (!database || !migrations) return []
    const [db, direct] = [database.db as unknown as Kysely<never>, database.direct as unknown as Kysely<never>]
    return [{ db, direct, schema: database.schema, migrations }]
  })

/**
 * Migrates every schema, and the bus's streams and consumers. Safe to run repeatedly and concurrently.
 * @throws RunsBesideOthers where connected processes have an incompatible version; nothing is changed then
 */
export async function applyMigrations(deployment: Deployment): Promise<void> {
  const all = schemas(deployment)
  if (all[0]) await refuseBesideOthers(all[0].db)
  for (const { direct, schema, migrations } of all) await migrate(direct, schema, migrations)
  await deployment.bus.events.prepare(consumersOf(deployment.modules))
}

async function refuseBesideOthers(db: Kysely<never>): Promise<void> {
  const ours = buildOf(process.env).version
  const others = (await connectedVersions(db)).filter((version) => !runsBeside(version, ours))
  if (others.length > 0) throw new RunsBesideOthers(ours, others)
}

/** What the migration step has yet to do, in words; empty when these services can start. */
export async function lacksOfMigrations(deployment: Deployment): Promise<string[]> {
  return [
    ...(await deployment.bus.events.lacks(consumersOf(deployment.modules))),
    ...(await lacksOfSchemas(deployment)),
  ]
}

/** What it has yet to do in Postgres. */
export async function lacksOfSchemas(deployment: Deployment): Promise<string[]> {
  const lacks = await lacksOfRights(deployment)
  // Without rights to its schema, a role cannot tell which migrations were run.
  if (lacks.length > 0) return lacks
  for (const { db, schema, migrations } of schemas(deployment)) {
    const pending = await pendingMigrations(db, schema, migrations)
    if (pending.length > 0) lacks.push(`schema ${schema} lacks ${pending.join(', ')}`)
  }
  return lacks
}

/** The rights that the Postgres user lacks in the schemas of these services, in words. */
export async function lacksOfRights(deployment: Pick<Deployment, 'modules' | 'databases'>): Promise<string[]> {
  const own = schemas(deployment)
  const [first] = own
  return first ? await lackingRights(first.db, own) : []
}

/**
 * Waits until another process has run the migration step.
 * @param told called at each poll with what is missing, in words
 */
export const untilMigrated = (
  deployment: Deployment,
  log: Logger,
  told: (lacks: readonly string[]) => void,
): Promise<void> =>
  waitUntilClear({
    ask: () => lacksOfMigrations(deployment).catch((error: unknown) => [reasonOf(error)]),
    told,
    log: (lacks) => log.warn({ lacks }, 'waiting for the migration step'),
  })

/** For a command run next to an instance, which neither waits nor migrates. @throws Error that says what is missing */
export async function requireMigrated(deployment: Deployment): Promise<void> {
  const lacks = await lacksOfSchemas(deployment)
  if (lacks.length === 0) return
  throw new Error(`This command cannot work on the tables: ${lacks.join('; ')}.`)
}

/** The role as which a service signs in to Postgres, where services have their own roles. */
export const roleOf = (prefix: string, service: string): string => `${prefix}${schemaOf(service)}`

/**
 * The migration step on its own: applies migrations, grants each service's role what it needs where
 * `DATABASE_ROLE_PREFIX` is set, and leaves nothing open.
 */
export async function migrateServices(modules: readonly ServiceModule[], env: Env): Promise<void> {
  const [shared, own] = readConfigs([RuntimeConfig, MigrationConfig], env)
  const config = pastPooler(shared as RuntimeConfig)
  const { DATABASE_ROLE_PREFIX: prefix } = own as MigrationConfig
  const log = createLogger(config.LOG_LEVEL)
  const owners = modules.filter(({ migrations }) => migrations)
  const databases = new Map(owners.map(({ name }) => [name, openServiceDatabase(config, name, log)]))
  const bus = await openBus(config, [], { onUnreachable: reportingUnreachable(log, () => {}) })
  try {
    await applyMigrations({ modules, databases, bus })
    const [first] = databases.values()
    const granted = owners.map(({ name }) => ({ schema: schemaOf(name), role: roleOf(prefix ?? '', name) }))
    if (prefix && first) await grantSchemas(first.db as unknown as Kysely<never>, granted)
  } finally {
    await bus.close()
    await Promise.all([...databases.values()].map((database) => database.close()))
  }
}
