import { join } from 'node:path'
import { claimPidFile, freePort, requireFreePort, startChild } from '@callboard/embedded'
import { Redis } from 'ioredis'
import { byDocker } from './docker.ts'
import { byUrl, type Found, findPart } from './found.ts'
import { byProgram, type IsolatedServer, isolated } from './isolated.ts'
import { type Program, program, programFromDebian, programHere } from './programs.ts'

const WANTED = { name: 'redis-server', debianPackage: 'redis-server' }

const IMAGE = {
  name: 'redis:7',
  port: 6379,
  ready: /Ready to accept connections/,
  url: (host: string, port: number) => `redis://${host}:${port}`,
}

export interface RedisServerOptions {
  readonly dataDir: string
  /** Absent: a free one. Give the same port again to let clients reconnect. */
  readonly port?: number
  readonly pidFile?: string
  /** True writes every command to disk before it answers, so that kill -9 loses nothing. */
  readonly durable?: boolean
  /** More arguments, such as `--maxmemory 10mb`. */
  readonly args?: readonly string[]
  readonly log?: (line: string) => void
}

/** A Redis for the whole test run. */
export const findRedis = (): Promise<Found> =>
  findPart('redis', [
    byUrl('redis', redisPing),
    byProgram(() => programHere(WANTED), ofRun),
    byDocker(IMAGE),
    byProgram(() => programFromDebian(WANTED), ofRun),
  ])

/** Starts a Redis that belongs to one test; throws when this machine cannot have one. */
export async function startRedisServer(options: RedisServerOptions): Promise<IsolatedServer> {
  const found = await program(WANTED)
  if ('closed' in found) throw new Error(`No redis-server can be started: ${found.closed}. Install redis-server.`)
  return start(found, options)
}

/** Sends PING and returns the answer. */
export async function redisPing(url: string): Promise<string> {
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.ping()
  } finally {
    client.disconnect()
  }
}

const ofRun = (found: Program, folder: string) => start(found, { dataDir: folder })

async function start(found: Program, options: RedisServerOptions): Promise<IsolatedServer> {
  const { dataDir, pidFile = join(dataDir, 'redis.pid'), durable = false, args = [], log } = options
  const stopping = { stopSignal: 'SIGTERM', stopWithinMs: 10_000 } as const
  const claim = await claimPidFile({ file: pidFile, what: 'redis-server', ...stopping, log })
  try {
    const port = options.port ?? (await freePort())
    await requireFreePort(port, 'the port of startRedisServer')
    const listen = ['--bind', '127.0.0.1', '--port', String(port), '--dir', dataDir, '--save', '']
    // Its title would overwrite its environment, which identifies the servers of a killed run.
    const title = ['--set-proc-title', 'no']
    const durability = durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']
    const child = await startChild({
      what: 'redis-server',
      command: found.file,
      args: [...listen, ...title, ...durability, ...args],
      env: { ...process.env, ...found.env },
      ready: /Ready to accept connections/,
      readyWithinMs: 20_000,
      ...stopping,
      pidFile: claim,
      log,
    })
    return isolated(`redis://127.0.0.1:${port}`, port, child)
  } catch (error) {
    claim.release()
    throw error
  }
}
