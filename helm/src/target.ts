import { durableName } from '@callboard/bus'
import { type ConfigSchema, printable, runtimeConfigOf, type ServiceModule } from '@callboard/runtime'
import type { z } from 'zod'

/** A setting that the chart's values may give. */
export interface TargetSetting {
  /** Whether the target needs it to start in a cluster. */
  readonly required: boolean
  /** Whether it comes from a Secret and never from the values. */
  readonly secret: boolean
}

/** What a target connects to beyond the cluster's own servers. */
export type Egress = 'chains' | 'internet'

/** A service's deployment needs, from its declaration. */
export interface Target {
  /** Whether it serves the public. */
  readonly edge: boolean
  /** Whether it has tables, so connects to Postgres. */
  readonly tables: boolean
  /** Postgres sessions that a process holds directly, bypassing a pooler: a listener and one for its relay. */
  readonly sessions: number
  /** Whether it holds one more for each chain, of which one replica is the leader. */
  readonly leadsChains: boolean
  readonly egress: readonly Egress[]
  /** Its durable consumers on the stream of events. */
  readonly consumers: readonly string[]
  readonly settings: Readonly<Record<string, TargetSetting>>
}

/** Every target by name. */
export type Targets = Readonly<Record<string, Target>>

/** The names of targets that connect to Postgres. */
export const withTables = (targets: Targets): string[] =>
  Object.entries(targets).flatMap(([name, { tables }]) => (tables ? [name] : []))

/** Settings made by the chart itself, or only for the embedded mode: not for the values. */
const OWN: ReadonlySet<string> = new Set([
  'ADMIN_HOST',
  'ADMIN_PORT',
  'HOST',
  'PORT',
  'MIGRATIONS',
  'DEVNET',
  'PROBE_ALLOW_LOOPBACK',
  'CLIENT_DOCUMENT_ALLOW_LOOPBACK',
])

/** Optional for a process, which then embeds the part, but required in a cluster. */
const CLUSTER: ReadonlySet<string> = new Set(['NATS_URL', 'REDIS_URL', 'RPC_URLS'])

/** Only for targets with tables. */
const DATABASE = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_POOLER_PREPARES', 'DATABASE_POOL_SIZE']

/** The destination that a target reading the setting connects to. */
const EGRESS: Readonly<Record<string, Egress>> = {
  RPC_URLS: 'chains',
  PROBE_REFUSED_CIDRS: 'internet',
  ROUTER_MODELS: 'internet',
}

/** The schemas' settings that the values may give, sorted by name. */
function settingsOf(schemas: readonly ConfigSchema[]): Record<string, TargetSetting> {
  const found = schemas.flatMap((schema) => {
    const masked = new Map(printable(schema, Object.fromEntries(Object.keys(schema.shape).map((name) => [name, 'x']))))
    return Object.entries(schema.shape).map(([name, field]): [string, TargetSetting] => {
      const optional = (field as z.ZodType).safeParse(undefined).success
      return [name, { required: !optional || CLUSTER.has(name), secret: masked.get(name) !== 'x' }]
    })
  })
  return Object.fromEntries(found.filter(([name]) => !OWN.has(name)).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** All settings that a process of the service reads. */
export const schemasOf = (module: ServiceModule): ConfigSchema[] => [runtimeConfigOf([module]), module.config]

/** What the chart needs to know about a service. */
export function targetOf(module: ServiceModule): Target {
  const settings = settingsOf(schemasOf(module))
  if (!module.migrations) for (const name of DATABASE) delete settings[name]
  return {
    edge: module.edge !== undefined,
    tables: module.migrations !== undefined,
    sessions: module.migrations ? 1 + Number(module.publishes.length > 0) : 0,
    leadsChains: module.leadsChains === true,
    egress: Object.entries(EGRESS).flatMap(([setting, where]) => (setting in module.config.shape ? [where] : [])),
    consumers: module.consumes.map(({ event }) => durableName({ service: module.name, event })),
    settings,
  }
}
