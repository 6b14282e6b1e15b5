import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Devnet } from '@callboard/conformance/target'
import { copyPrepared } from '@callboard/testkit/prepared-data'
import { type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { type Cluster, MAIN, startCluster, type Urls } from '@callboard/tools/cluster'
import pg from 'pg'
import { canMount, type SmallDisk, smallDisk } from './disk.ts'
import { type Link, linkTo } from './link.ts'
import { Load } from './load/load.ts'
import { type Stage, setStage } from './load/stage.ts'
import type { Random } from './random.ts'
import { heightOf } from './rpc.ts'

/** A cluster under load, with control over every link between its parts. */
export interface World {
  readonly cluster: Cluster
  /** Links from the services to their servers; absent where the services reach them directly. */
  readonly lines?: Lines
  /** The disks that the servers write to; absent where disks cannot be mounted. */
  readonly disks?: Readonly<Record<'postgres' | 'nats', SmallDisk>>
  readonly devnet: Devnet
  readonly stage: Stage
  readonly load: Load
  /** The height of the chain when the load began. */
  readonly beganAt: number
  readonly random: Random
  /** The file that processes run after an upgrade. */
  readonly next: string
  /** The program that rebuilds a projection. */
  readonly rebuild: string
  /** The operator's program. */
  readonly operator: string
  /** The database, accessed past every link. */
  readonly db: pg.Pool
  readonly log: (line: string) => unknown
  stop(): Promise<void>
}

/** The links between the services and their servers. */
export interface Lines extends Readonly<Record<'postgres' | 'nats' | 'redis', Link>> {
  /** The link to the chain's node, which can lie. */
  readonly chain: RpcProxy
}

/** Deviations of a world from the usual. */
export interface WorldOptions {
  /** The file that its processes run; our source when absent. */
  readonly main?: string | undefined
  /** The file that processes run after an upgrade; our source when absent. */
  readonly next?: string
  /** Whether `main` is another version's. */
  readonly isOtherVersion?: boolean
  /** The limit classes that this version knows. */
  readonly limitClasses?: readonly string[]
  /** The program that rebuilds a projection; our source when absent. */
  readonly rebuild?: string | undefined
  /** The operator's program; our source when absent. */
  readonly operator?: string | undefined
  /** What the servers find on their disks, as made by `prepareData`; nothing when absent. */
  readonly data?: string
  /** Factor for the load's pauses between rounds. */
  readonly pause?: number
  /** False: no fault affects a link, so the services reach their servers directly. */
  readonly withLines?: boolean
}

const REBUILD = join(import.meta.dirname, '../../services/all/src/rebuild.ts')
const OPERATOR = join(import.meta.dirname, '../../services/all/src/operator.ts')
const HOOK = join(import.meta.dirname, '../hooks/hook.mjs')
const wide = { burst: 100_000, perMinute: 600_000 }
const RATES = [
  'read',
  'nonce',
  'signIn',
  'manage',
  'publish',
  'probe',
  'recheck',
  'facilitator',
  'payment',
  'link',
  'token',
]

/** @param classes the limit classes that a version knows: it refuses others */
export const wideRates = (classes: readonly string[] = RATES): string =>
  JSON.stringify(Object.fromEntries(RATES.filter((name) => classes.includes(name)).map((name) => [name, wide])))

const REPLICAS = 2
/** How far anvil's `finalized` is behind its tip. */
export const FINALITY_DEPTH = 64

const through = (url: string, { port }: Link): string => {
  const to = new URL(url)
  to.host = `127.0.0.1:${port}`
  return to.href
}

async function layLines(urls: Urls): Promise<Lines> {
  const to = (url: string) => linkTo(Number(new URL(url).port))
  const [postgres, nats, redis, chain] = await Promise.all([
    to(urls.databaseUrl),
    to(urls.natsUrl),
    to(urls.redisUrl),
    rpcProxy(urls.rpcUrl),
  ])
  return { postgres, nats, redis, chain }
}

/** Starts everything. Blocks are not final at once, so that reorganizations have something to revert. */
export async function openWorld(
  folder: string,
  random: Random,
  log: World['log'],
  {
    main,
    next = MAIN,
    isOtherVersion = false,
    limitClasses,
    rebuild = REBUILD,
    operator = OPERATOR,
    data,
    pause,
    withLines = true,
  }: WorldOptions = {},
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
    let lines: Lines | undefined
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
        RATE_LIMITS: wideRates(limitClasses),
        PROBE_INTERVAL_MS: '60000',
      },
      log,
      async through(urls) {
        if (!withLines) return urls
        lines = await layLines(urls)
        // Before the cluster's own: they are closed once it has stopped.
        undo.push(...Object.values(lines).map((line) => () => line.close()))
        return {
          databaseUrl: through(urls.databaseUrl, lines.postgres),
          natsUrl: through(urls.natsUrl, lines.nats),
          redisUrl: through(urls.redisUrl, lines.redis),
          rpcUrl: lines.chain.url,
        }
      },
    })
    undo.push(() => cluster.stop())
    const db = new pg.Pool({ connectionString: cluster.urls.databaseUrl, max: 4 })
    db.on('error', () => {})
    undo.push(() => db.end())
    const devnet = JSON.parse(readFileSync(join(folder, 'devnet.json'), 'utf8')) as Devnet
    const stage = await setStage(cluster.baseUrl, devnet)
    undo.push(() => stage.seller.close())
    const load = new Load(cluster.baseUrl, stage, pause)
    const beganAt = await heightOf(devnet.rpcUrl)
    return {
      ...{ cluster, devnet, stage, load, beganAt, random, next, rebuild, operator, db, log, stop },
      ...(lines ? { lines } : {}),
      ...(disks ? { disks } : {}),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @throws Error in a world without links, where a fault of one would have no effect */
export function linesOf({ lines }: World): Lines {
  if (!lines) throw new Error('The services of this world reach their servers directly.')
  return lines
}
