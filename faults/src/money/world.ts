import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Devnet } from '@callboard/conformance/target'
import { LIMITS } from '@callboard/contract'
import { type Database, openDatabase } from '@callboard/store'
import { until } from '@callboard/testkit/until'
import { allReady, type Cluster, startCluster } from '@callboard/tools/cluster'
import type { RouterTables } from '../../../services/router/src/store/tables.ts'
import { modelsFile } from './sold.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** The processes that the Router's money passes through, and its books. */
export interface MoneyWorld {
  readonly cluster: Cluster
  readonly devnet: Devnet
  readonly upstream: Upstream
  /** The Router's tables, accessed directly. */
  readonly books: Database<RouterTables>
  /** An owner's daily Compute; nano-USD. */
  readonly computeADay: bigint
  stop(): Promise<void>
}

export interface MoneyWorldOptions {
  /** The file that the processes run; our source when absent. */
  readonly main?: string | undefined
  readonly gateways: number
  readonly routers: number
  /** Whether owners sign in, which requires one more service. */
  readonly withOwners: boolean
  readonly log: (line: string) => unknown
}

const wide = { burst: 10_000_000, perMinute: 600_000_000 }
const COMPUTE_A_DAY = 200_000_000n
const COMPUTE_DAILY_USD = '0.2'
/** Services that take no part. */
const ABSENT = { agents: 0, 'liveness-prober': 0, 'chain-indexer': 0, listings: 0, catalog: 0 }

/** Starts gateways and Routers as processes over NATS, Redis, Postgres and a chain, and the sample provider. */
export async function openMoneyWorld(folder: string, options: MoneyWorldOptions): Promise<MoneyWorld> {
  const { main, gateways, routers, withOwners, log } = options
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const upstream = await startUpstream()
    undo.push(() => upstream.close())
    const ROUTER_MODELS = join(folder, 'walk.models.yaml')
    writeFileSync(ROUTER_MODELS, modelsFile(upstream.url))
    const cluster = await startCluster({
      ...{ folder, main, log },
      replicas: { ...ABSENT, gateway: gateways, router: routers, oauth: withOwners ? 1 : 0 },
      env: {
        ...{ ROUTER_MODELS, COMPUTE_DAILY_USD },
        ...{
          ROUTER_REQUESTS_PER_MINUTE: '1000000',
          ROUTER_TOKENS_PER_MINUTE: '1000000000',
          ROUTER_CONCURRENCY: '10000',
        },
        RATE_LIMITS: JSON.stringify(Object.fromEntries(Object.keys(LIMITS).map((name) => [name, wide]))),
      },
    })
    undo.push(() => cluster.stop())
    const books = openDatabase<RouterTables>({
      ...{ url: cluster.urls.databaseUrl, schema: 'router', maxConnections: 4, onError: () => {} },
    })
    undo.push(() => books.close())
    const devnet = JSON.parse(readFileSync(join(folder, 'devnet.json'), 'utf8')) as Devnet
    return { cluster, devnet, upstream, books, computeADay: COMPUTE_A_DAY, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Rows of the books, or of anything else in the database. */
export async function rowsOf<Row>({ books }: Pick<MoneyWorld, 'books'>, text: string): Promise<Row[]> {
  return (await books.pool.query(text)).rows as Row[]
}

/** Makes every process ready again. */
export async function mend({ cluster }: MoneyWorld): Promise<void> {
  for (const backing of [cluster.nats, cluster.redis, cluster.postgres]) backing.resume()
  await until('every process is ready', () => allReady(cluster.members), 90_000)
}
