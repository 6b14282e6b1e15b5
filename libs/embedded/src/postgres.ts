import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Child, startChild } from './child.ts'
import { claimPidFile } from './pid-file.ts'
import { onChosenPort, type PortChoice } from './ports.ts'
import { installedBinaries } from './postgres-binaries.ts'
import { withFsync } from './postgres-durability.ts'
import { cluster, POSTGRES_USER, postgresUser } from './postgres-home.ts'
import { freeCluster } from './postgres-lock.ts'
import { packagedBinaries } from './postgres-package.ts'
import { identifier, pgQuery } from './postgres-query.ts'
import { socketFolder } from './postgres-socket.ts'

export interface PostgresOptions {
  /** Holds the cluster (`data`), the pid file and the remembered port. */
  readonly dataDir: string
  /** Absent: the previous port, or a free one. */
  readonly port?: number | undefined
  /** The setting that changes the port. */
  readonly portSetting?: string
  /**
   * True costs time to survive a power cut, which money requires. Without it kill -9 of any process still loses nothing
   * that was acknowledged. A folder that once ran with it always does.
   */
  readonly fsync?: boolean
  /** Where `postgres` and `initdb` of another installation are; absent: version 18 from npm. */
  readonly binDir?: string | undefined
  /** What those programs need in their environment in addition to ours, such as LD_LIBRARY_PATH. */
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly log?: ((line: string) => void) | undefined
}

export interface Postgres extends Child {
  readonly port: number
  /** Whether acknowledged commits survive a power cut. */
  readonly fsync: boolean
  /** `postgresql://callboard@127.0.0.1:PORT/DATABASE`; without a name the maintenance database. */
  url(database?: string): string
  /**
   * The same with `?host=FOLDER`, which connects over its Unix socket: a round trip takes a quarter less time and CPU
   * than over TCP. Equal to `url` where there is no such socket.
   */
  socketUrl(database?: string): string
  /** Creates the database unless it exists, and returns its URL. */
  createDatabase(name: string): Promise<string>
  /** Copies a database that has no connections into a new one, and returns the URL of the copy. */
  databaseFromTemplate(template: string, name: string): Promise<string>
  /** Drops a database, and ends its remaining connections. */
  dropDatabase(name: string): Promise<void>
}

const STOP = { stopSignal: 'SIGINT', stopWithinMs: 15_000 } as const
const READY = /database system is ready to accept connections/

/**
 * Starts Postgres on `dataDir` as our child, loopback only, and waits until it serves. It finds its data again on every
 * later start, even after kill -9 of the server or of us; a server left behind by a killed run is ended first. As root
 * it runs as another user. Throws when another living process runs it on this folder.
 */
export const startPostgres = (options: PostgresOptions): Promise<Postgres> =>
  onChosenPort((choose) => startOn(options, choose))

async function startOn(options: PostgresOptions, choose: (choice: PortChoice) => Promise<number>): Promise<Postgres> {
  const dataDir = resolve(options.dataDir)
  const { log, portSetting = 'the Postgres port' } = options
  mkdirSync(dataDir, { recursive: true })
  const pidFile = await claimPidFile({ file: join(dataDir, 'postgres.pid'), what: 'Postgres', ...STOP, log })
  try {
    const user = postgresUser(dataDir)
    const binaries = await (options.binDir
      ? installedBinaries(options.binDir, user, options.env)
      : packagedBinaries(user))
    const isNew = !existsSync(join(dataDir, 'data'))
    const folder = await cluster(dataDir, user, binaries, log)
    const fsync = await withFsync(options.fsync ?? false, { dataDir, folder, isNew, user, binaries })
    await freeCluster(folder, log)
    const port = await choose({ port: options.port, setting: portSetting, memory: join(dataDir, 'postgres.port') })
    const sockets = await socketFolder(dataDir, user)
    const child = await startChild({
      ...user,
      ...STOP,
      what: 'Postgres',
      command: binaries.postgres,
      args: ['-D', folder, '-p', String(port), ...settings(fsync, sockets)],
      env: binaries.env,
      cwd: '/',
      ready: READY,
      readyWithinMs: 30_000,
      pidFile,
      log,
    })
    return { ...child, port, fsync, ...databases(port, sockets) }
  } catch (error) {
    pidFile.release()
    throw error
  }
}

/**
 * Only `fsync` may be off: without synchronous_commit a kill -9 loses acknowledged rows. Settings needed for durability
 * are given here, which overrides the folder's own files.
 */
function settings(fsync: boolean, sockets: string | undefined): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    // A list, in which a name with a comma or a space is quoted.
    unix_socket_directories: sockets === undefined ? '' : identifier(sockets),
    unix_socket_permissions: '0700',
    max_connections: '200',
    fsync: fsync ? 'on' : 'off',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_parallel_workers_per_gather: '0',
    log_timezone: 'UTC',
    TimeZone: 'UTC',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

type Databases = Pick<Postgres, 'url' | 'socketUrl' | 'createDatabase' | 'databaseFromTemplate' | 'dropDatabase'>

function databases(port: number, sockets: string | undefined): Databases {
  const url = (database = 'postgres') =>
    `postgresql://${POSTGRES_USER}@127.0.0.1:${port}/${encodeURIComponent(database)}`
  const run = (sql: string) => pgQuery({ port, user: POSTGRES_USER, database: 'postgres' }, sql)
  return {
    url,
    socketUrl: (database) => url(database) + (sockets === undefined ? '' : `?host=${encodeURIComponent(sockets)}`),
    async createDatabase(name) {
      const known = await run('select datname from pg_database')
      if (!known.some(([database]) => database === name)) await run(`create database ${identifier(name)}`)
      return url(name)
    },
    async databaseFromTemplate(template, name) {
      await run(`create database ${identifier(name)} template ${identifier(template)}`)
      return url(name)
    },
    async dropDatabase(name) {
      await run(`drop database if exists ${identifier(name)} with (force)`)
    },
  }
}
