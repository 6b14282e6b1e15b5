import type { Bus, ConsumerName } from '@callboard/bus'
import { type Database, type EventTables, migrate, pendingMigrations } from '@callboard/store'
import type { Kysely } from 'kysely'
import { type Env, readConfigs } from './config.ts'
import { pause } from './jobs.ts'
import { createLogger, type Logger } from './log.ts'
import type { ServiceModule } from './service.ts'
import { RuntimeConfig } from './settings.ts'
import { openBus, openServiceDatabase } from './shared-resources.ts'

/** What migrations work on. */
export interface Deployment {
  readonly modules: readonly ServiceModule[]
  /** By service name; those without tables have none. */
  readonly databases: ReadonlyMap<string, Database<EventTables>>
  readonly bus: Bus
}

const AGAIN_MS = 1_000

/** The durable consumers that the bus must hold for these services. */
export const consumersOf = (modules: readonly ServiceModule[]): ConsumerName[] =>
  modules.flatMap(({ name, consumes }) => consumes.map(({ event }) => ({ service: name, event })))

const schemas = ({ modules, databases }: Deployment) =>
  modules.flatMap(({ name, migrations }) => {
    const database = databases.get(name)
    return database && migrations
      ? [{ db: database.db as unknown as Kysely<never>, schema: database.schema, migrations }]
      : []
  })

/** Brings every schema up to date, and the bus's streams and consumers. Safe to run many times and at once. */
export async function applyMigrations(deployment: Deployment): Promise<void> {
  for (const { db, schema, migrations } of schemas(deployment)) await migrate(db, schema, migrations)
  await deployment.bus.events.prepare(consumersOf(deployment.modules))
}

/** What the migration step has not done yet, in words; empty when these services can start. */
export async function lacksOfMigrations(deployment: Deployment): Promise<string[]> {
  const lacks = await deployment.bus.events.lacks(consumersOf(deployment.modules))
  for (const { db, schema, migrations } of schemas(deployment)) {
    const pending = await pendingMigrations(db, schema, migrations)
    if (pending.length > 0) lacks.push(`schema ${schema} lacks ${pending.join(', ')}`)
  }
  return lacks
}

/** Waits until another process has done the migration step. */
export async function untilMigrated(deployment: Deployment, log: Logger): Promise<void> {
  let logged = ''
  for (;;) {
    const lacks = await lacksOfMigrations(deployment).catch((error: Error) => [error.message])
    if (lacks.length === 0) return
    if (lacks.join() !== logged) log.warn({ lacks }, 'waiting for the migration step')
    logged = lacks.join()
    await pause(AGAIN_MS, new AbortController().signal)
  }
}

/** The migration step by itself: applies, reports, and leaves nothing open. */
export async function migrateServices(modules: readonly ServiceModule[], env: Env): Promise<void> {
  const [shared] = readConfigs([RuntimeConfig], env)
  const config = shared as RuntimeConfig
  const log = createLogger(config.LOG_LEVEL)
  const owners = modules.filter(({ migrations }) => migrations)
  const databases = new Map(owners.map(({ name }) => [name, openServiceDatabase(config, name, log)]))
  const bus = await openBus(config, [], {})
  try {
    await applyMigrations({ modules, databases, bus })
  } finally {
    await bus.close()
    await Promise.all([...databases.values()].map((database) => database.close()))
  }
}
