import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Devnet, openDevnet, type Postgres, startPostgres } from '@callboard/embedded'
import { type NatsServer, startNatsServer, startRedisServer } from '@callboard/testkit/servers'
import { Backing } from './backing.ts'

/** The servers' URLs, as services receive them. */
export interface Urls {
  readonly databaseUrl: string
  readonly natsUrl: string
  readonly redisUrl: string
  readonly rpcUrl: string
}

/** The servers that a cluster depends on. */
export interface Servers {
  readonly nats: Backing<NatsServer>
  readonly redis: Backing
  readonly postgres: Backing<Postgres>
  readonly chain: Backing<Devnet>
  /** The servers themselves, bypassing anything between them and the services. */
  readonly urls: Urls
}

const DATABASE = 'callboard'

/**
 * Starts the servers one after the other, each with its data in its own folder below `folder`.
 * @param undo receives how to stop each, even when a later one fails to start
 */
export async function startServers(
  folder: string,
  baseUrl: string,
  undo: (() => Promise<unknown>)[],
): Promise<Servers> {
  async function backing<Server extends Backing['server']>(
    name: string,
    start: (at: string, port?: number) => Promise<Server>,
  ) {
    const at = join(folder, name)
    mkdirSync(at, { recursive: true })
    const one = await Backing.of((port) => start(at, port))
    undo.push(() => one.stop())
    return one
  }
  const on = (port?: number) => (port === undefined ? {} : { port })
  const nats = await backing('nats', (storeDir, port) => startNatsServer({ storeDir, ...on(port) }))
  const redis = await backing('redis', (dataDir, port) => startRedisServer({ dataDir, ...on(port) }))
  const postgres = await backing('postgres', (dataDir, port) => startPostgres({ dataDir, port }))
  const facilitatorUrl = `${baseUrl}/x402`
  const chain = await backing('chain', (_, port) => openDevnet({ dataDir: folder, baseUrl, facilitatorUrl, port }))
  const urls: Urls = {
    databaseUrl: await postgres.server.createDatabase(DATABASE),
    natsUrl: nats.server.url,
    redisUrl: redis.server.url,
    rpcUrl: chain.server.rpcUrl,
  }
  return { nats, redis, postgres, chain, urls }
}
