import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { keptSecrets } from '@callboard/all/data-folder'
import { devnetSettings } from '@callboard/all/embedded'
import { freePort, openDevnet } from '@callboard/embedded'
import { startTestServices, testDatabase, until } from '@callboard/testkit'
import { startNatsServer, startRedisServer } from '@callboard/testkit/servers'
import type { Registry } from 'prom-client'
import { inject } from 'vitest'
import { type Sample, samplesOf } from '../src/exposition.ts'
import { type Declared, declaredIn } from '../src/metrics-page.ts'

/** What a whole instance shows at `/metrics` after use. */
export interface Whole {
  readonly samples: readonly Sample[]
  readonly registry: Registry
  /** Metrics that cannot have series, because this machine has no NATS or no Redis. */
  readonly absent: ReadonlySet<string>
  /** Postgres's errors for the given queries. */
  readonly refused: readonly string[]
  /** How many rows each of the others found. */
  readonly found: ReadonlyMap<string, number>
}

/**
 * Starts every service in one process, has it succeed and fail once, reads its metrics when each has a series, and
 * stops it.
 * @param queries SQL to try on its tables
 */
export async function whole(queries: readonly string[]): Promise<Whole> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-monitoring-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const [devnet, database, servers] = await Promise.all([
    openDevnet({ dataDir: folder, baseUrl: base, facilitatorUrl: `${base}/x402` }),
    testDatabase(inject('postgresUrl')),
    ownServers(folder),
  ])
  const services = await startTestServices(modules, {
    databaseUrl: database.url,
    env: {
      ...keptSecrets(folder),
      ...servers?.env,
      ...{ LINK_SIGNING_KEY: '', LINK_SIGNING_KEY_FILE: secretFile(folder) },
      ...(await devnetSettings(devnet)),
      ...{ PORT: String(port), BASE_URL: base, ROUTER_MODELS: modelsFile(folder) },
    },
  })
  const { registry } = services.metrics
  const absent = new Set(
    servers ? [] : declaredIn(registry).flatMap(({ name }) => (OF_SERVERS.test(name) ? [name] : [])),
  )
  const metrics = async () => (await fetch(`http://127.0.0.1:${services.adminPort}/metrics`)).text()
  try {
    await fetch(`${base}/api/call/services`)
    await fail(base, database.query)
    let samples: readonly Sample[] = []
    const isWhole = async () => {
      samples = samplesOf(await metrics())
      return unseen(registry, samples, absent).length === 0
    }
    await until('every metric shows a series', isWhole, 60_000).catch((cause: Error) => {
      throw new Error(`no series of ${unseen(registry, samples, absent).join(', ')}`, { cause })
    })
    const refused: string[] = []
    const found = new Map<string, number>()
    for (const query of queries) {
      await database.query(query).then(
        (rows) => found.set(query, rows.length),
        (error: Error) => refused.push(`${error.message}: ${query}`),
      )
    }
    return { samples, registry, absent, refused, found }
  } finally {
    await services.stop()
    await Promise.all([devnet.stop(), database.drop(), servers?.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The declared metrics without any series. */
function unseen(registry: Registry, samples: readonly Sample[], absent: ReadonlySet<string>): string[] {
  const names = new Set([...samples.map(({ metric }) => metric), ...absent])
  const first = ({ name, type }: Declared) => (type === 'histogram' ? `${name}_count` : name)
  return declaredIn(registry).flatMap((one) => (names.has(first(one)) ? [] : [one.name]))
}

/** Metrics of processes with NATS and Redis only. */
const OF_SERVERS = /^callboard_(stream|redis)_/

/** A bus and counters of its own; undefined where the machine has no servers for them. */
async function ownServers(folder: string) {
  if (!inject('natsUrl') || !inject('redisUrl')) return undefined
  const storeDir = join(folder, 'nats')
  const dataDir = join(folder, 'redis')
  for (const made of [storeDir, dataDir]) mkdirSync(made)
  const [nats, redis] = await Promise.all([startNatsServer({ storeDir }), startRedisServer({ dataDir })])
  return {
    env: { NATS_URL: nats.url, REDIS_URL: redis.url },
    stop: () => Promise.all([nats.stop(), redis.stop()]),
  }
}

/** A secret in a file, so that its gauges have a series. */
function secretFile(folder: string): string {
  const file = join(folder, 'link-signing-key')
  writeFileSync(file, 'a key of the tests that is long enough')
  return file
}

/** A model with one upstream, which is never called: its gauges have a series as soon as it is on sale. */
function modelsFile(folder: string): string {
  const file = join(folder, 'router.models.yaml')
  const model = { id: 'small', ownedBy: 'sample', created: 1, contextTokens: 1_000, maxOutputTokens: 100 }
  const price = { version: '1', prompt: '0.000001', completion: '0.000001' }
  const upstreams = [{ name: 'sample', baseUrl: 'http://127.0.0.1:9/v1', shape: 'openai' }]
  const models = [{ ...model, capabilities: ['chat'], price, upstreams: [{ upstream: 'sample' }] }]
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ upstreams, models }))
  return file
}

/** Causes one 500 answer: the table behind a route is renamed meanwhile. */
async function fail(base: string, query: (text: string) => Promise<unknown>): Promise<void> {
  await query('alter table x402_facilitator.discovered_resource rename to away')
  const { status } = await fetch(`${base}/x402/discovery/resources`)
  await query('alter table x402_facilitator.away rename to discovered_resource')
  if (status !== 500) throw new Error(`a route without its table answered ${status}`)
}
