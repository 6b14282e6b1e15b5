import { join } from 'node:path'
import { claimPidFile, freePort, requireFreePort, startChild } from '@callboard/embedded'
import { connect } from '@nats-io/transport-node'
import { byDocker } from './docker.ts'
import { byUrl, type Found, findPart } from './found.ts'
import { byProgram, type IsolatedServer, isolated } from './isolated.ts'
import { type Program, program, programFromDebian, programHere } from './programs.ts'

const WANTED = { name: 'nats-server', debianPackage: 'nats-server' }

const IMAGE = {
  name: 'nats:2.12',
  port: 4222,
  command: ['-js'],
  ready: /Server is ready/,
  url: (host: string, port: number) => `nats://${host}:${port}`,
}

export interface NatsServerOptions {
  /** Holds streams and consumers; start on it again to find them. */
  readonly storeDir: string
  /** Absent: a free one. Give the same port again to let clients reconnect. */
  readonly port?: number
  readonly pidFile?: string
  /** More arguments, such as `-c FILE`. */
  readonly args?: readonly string[]
  readonly log?: (line: string) => void
}

export interface NatsServer extends IsolatedServer {
  /** Serves `/healthz`, `/jsz`, `/varz`, `/connz`. */
  readonly monitorUrl: string
}

/** A NATS server with JetStream for the whole test run. */
export const findNats = (): Promise<Found> =>
  findPart('nats', [
    byUrl('nats', natsVersion),
    byProgram(() => programHere(WANTED), ofRun),
    byDocker(IMAGE),
    byProgram(() => programFromDebian(WANTED), ofRun),
  ])

/** Starts a NATS server with JetStream that belongs to one test; throws when this machine cannot have one. */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  const found = await program(WANTED)
  if ('closed' in found) throw new Error(`No nats-server can be started: ${found.closed}. Install nats-server.`)
  return start(found, options)
}

/** The version in a server's INFO line. */
export async function natsVersion(url: string): Promise<string> {
  const connection = await connect({ servers: url, reconnect: false, timeout: 5_000 })
  try {
    return connection.info?.version ?? 'unknown'
  } finally {
    await connection.close()
  }
}

const ofRun = (found: Program, folder: string) => start(found, { storeDir: folder })

async function start(found: Program, options: NatsServerOptions): Promise<NatsServer> {
  const { storeDir, pidFile = join(storeDir, 'nats.pid'), args = [], log } = options
  const stopping = { stopSignal: 'SIGTERM', stopWithinMs: 10_000 } as const
  const claim = await claimPidFile({ file: pidFile, what: 'nats-server', ...stopping, log })
  try {
    const port = options.port ?? (await freePort())
    const monitorPort = await freePort()
    await requireFreePort(port, 'the port of startNatsServer')
    const listen = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitorPort)]
    const child = await startChild({
      what: 'nats-server',
      command: found.file,
      args: [...listen, '-js', '-sd', storeDir, ...args],
      env: { ...process.env, ...found.env },
      ready: /Server is ready/,
      readyWithinMs: 20_000,
      ...stopping,
      pidFile: claim,
      log,
    })
    const server = isolated(`nats://127.0.0.1:${port}`, port, child)
    return { ...server, monitorUrl: `http://127.0.0.1:${monitorPort}` }
  } catch (error) {
    claim.release()
    throw error
  }
}
