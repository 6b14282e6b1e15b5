import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Devnet } from '@callboard/conformance/target'
import { copyPrepared } from '@callboard/testkit/prepared-data'
import { type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { type Cluster, startCluster } from '@callboard/tools/cluster'
import pg from 'pg'
import { canMount, type SmallDisk, smallDisk } from './disk.ts'
import { type Link, linkTo } from './link.ts'
import { Load } from './load/load.ts'
import { type Stage, setStage } from './load/stage.ts'
import type { Random } from './random.ts'
import { heightOf } from './rpc.ts'

/** A cluster under load, with a hand on every line between its parts. */
export interface World {
  readonly cluster: Cluster
  /** Lines from the services to their servers. */
  readonly links: Readonly<Record<'postgres' | 'nats' | 'redis', Link>>
  /** The line to the chain's node, which can lie. */
  readonly chain: RpcProxy
  /** What the servers write to; absent where disks cannot be mounted. */
  readonly disks?: Readonly<Record<'postgres' | 'nats', SmallDisk>>
  readonly devnet: Devnet
  readonly stage: Stage
  readonly load: Load
  /** The height of the chain when the load began. */
  readonly beganAt: number
  readonly random: Random
  /** The program that makes a projection again. */
  readonly rebuild: string
  /** The operator's program. */
  readonly operator: string
  /** The database, past every line. */
  readonly db: pg.Pool
  readonly log: (line: string) => unknown
  stop(): Promise<void>
}

/** What of a world is otherwise than usual. */
export interface WorldOptions {
  /** The file that its processes run; our source when absent. */
  readonly main?: string | undefined
  /** Whether `main` is another version's. */
  readonly isOtherVersion?: boolean
  /** The program that makes a projection again; our source when absent. */
  readonly rebuild?: string | undefined
  /** The operator's program; our source when absent. */
  readonly operator?: string | undefined
  /** What the servers find on their disks, as `prepareData` makes it; nothing when absent. */
  readonly data?: string
  /** How many times as long as usual the load rests between its rounds. */
  readonly pause?: number
}

const REBUILD = join(import.meta.dirname, '../../services/all/src/rebuild.ts')
const OPERATOR = join(import.meta.dirname, '../../services/all/src/operator.ts')
const HOOK = join(import.meta.dirname, '../hooks/hook.mjs')
const wide = { burst: 100_000, perMinute: 600_000 }
const RATES = ['read', 'nonce', 'signIn', 'manage', 'probe', 'recheck', 'facilitator', 'payment', 'link', 'token']
const REPLICAS = 2
/** anvil's `finalized` is so far behind its tip. */
export const FINALITY_DEPTH = 64

const through = (url: string, link: Link): string => {
  const to = new URL(url)
  to.host = `127.0.0.1:${link.port}`
  return to.href
}

/** Starts it all. Blocks are not final at once, so that reorganizations have something to take back. */
export async function openWorld(
  folder: string,
  random: Random,
  log: World['log'],
  { main, isOtherVersion = false, rebuild = REBUILD, operator = OPERATOR, data, pause }: WorldOptions = {},
): Promise<World> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const disks = canMount
      ? { postgres: smallDisk(join(folder, 'postgres'), 3_072), nats: smallDisk(join(folder, 'nats'), 256) }
      : undefined
    undo.push(async () => disks && Object.values(disks).map((disk) => disk.unmount()))
    if (data) await copyPrepared(data, folder)
    let links: World['links'] | undefined
    let chain: RpcProxy | undefined
    const cluster = await startCluster({
      folder,
      replicas: REPLICAS,
      devnet: { finality: 'tags', finalityDepth: FINALITY_DEPTH },
      main,
      isOtherVersion,
      execArgs: ['--import', HOOK],
      env: {
        LISTINGS_PER_OWNER: '100000',
        LISTINGS_PER_SITE: '100000',
        RATE_LIMITS: JSON.stringify(Object.fromEntries(RATES.map((name) => [name, wide]))),
        PROBE_INTERVAL_MS: '60000',
      },
      log,
      async through(urls) {
        const portOf = (url: string) => Number(new URL(url).port)
        const [postgres, nats, redis] = await Promise.all([
          linkTo(portOf(urls.databaseUrl)),
          linkTo(portOf(urls.natsUrl)),
          linkTo(portOf(urls.redisUrl)),
        ])
        const node = await rpcProxy(urls.rpcUrl)
        links = { postgres, nats, redis }
        chain = node
        // Before the cluster's own: they are closed when it has stopped.
        undo.push(() => node.close(), ...[postgres, nats, redis].map((link) => () => link.close()))
        return {
          databaseUrl: through(urls.databaseUrl, postgres),
          natsUrl: through(urls.natsUrl, nats),
          redisUrl: through(urls.redisUrl, redis),
          rpcUrl: chain.url,
        }
      },
    })
    undo.push(() => cluster.stop())
    if (!links || !chain) throw new Error('The lines were not laid.')
    const lines = links
    const node = chain
    const db = new pg.Pool({ connectionString: cluster.urls.databaseUrl, max: 4 })
    db.on('error', () => {})
    undo.push(() => db.end())
    const devnet = JSON.parse(readFileSync(join(folder, 'devnet.json'), 'utf8')) as Devnet
    const stage = await setStage(cluster.baseUrl, devnet)
    undo.push(() => stage.seller.close())
    const load = new Load(cluster.baseUrl, stage, pause)
    const beganAt = await heightOf(devnet.rpcUrl)
    return {
      ...{ cluster, links: lines, chain: node, devnet, stage, load, beganAt, random, rebuild, operator, db, log, stop },
      ...(disks ? { disks } : {}),
    }
  } catch (error) {
    await stop()
    throw error
  }
}
