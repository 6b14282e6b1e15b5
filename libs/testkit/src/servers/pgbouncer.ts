import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { claimPidFile, freePort, startChild } from '@callboard/embedded'
import { overTcp } from '../database.ts'
import { unpackDebian } from './debian.ts'
import { isRequired } from './found.ts'
import { type IsolatedServer, isolated } from './isolated.ts'
import { type NoProgram, type Program, program, SERVERS } from './programs.ts'

const WANTED = { name: 'pgbouncer', debianPackage: 'pgbouncer' }

/** The Debian release whose PgBouncer supports prepared statements, unlike bookworm's 1.18, with its libraries. */
const PREPARING = {
  release: 'trixie',
  packages: [
    ...['pgbouncer', 'libc6', 'libgcc-s1', 'libcares2', 'libevent-2.1-7t64', 'libpam0g', 'libssl3t64', 'libsystemd0'],
    ...['libaudit1', 'libcap-ng0', 'libcap2', 'libzstd1', 'zlib1g'],
  ],
}

export interface PgBouncerOptions {
  /** Its settings and its pid file. */
  readonly folder: string
  /** The server that it pools; every database is reachable under its own name, as this URL's user. */
  readonly postgresUrl: string
  /** The sessions that it opens per database and user. */
  readonly poolSize?: number
  /** How many prepared statements a session keeps. Absent: its version's default. */
  readonly preparedStatements?: number
  /** Absent: a free one. Give the same port again to let clients reconnect. */
  readonly port?: number
  readonly log?: (line: string) => void
}

export interface PgBouncer extends IsolatedServer {
  /** The same database through the pooler. */
  through(databaseUrl: string): string
}

/**
 * The program, or why this machine has none.
 * @throws Error when there is none and `REQUIRE` names pgbouncer
 */
export async function findPgBouncer(): Promise<Program | NoProgram> {
  const found = await program(WANTED)
  if ('closed' in found && isRequired('pgbouncer'))
    throw new Error(`REQUIRE asks for pgbouncer, but none was found: ${found.closed}. Install pgbouncer.`)
  return found
}

/**
 * A PgBouncer from 1.21 on, which keeps prepared statements across sessions, run with its own release's loader and
 * libraries; or why this machine has none.
 * @throws Error when there is none and `REQUIRE` names pgbouncer
 */
export async function findPreparingPgBouncer(): Promise<Program | NoProgram> {
  const place = join(SERVERS, `debian-${PREPARING.release}-pgbouncer`)
  const machine = MACHINES[process.arch]
  const problem =
    process.platform === 'linux' && machine ? await unpackDebian(PREPARING, place) : 'Debian has none for this machine'
  if (problem !== undefined && isRequired('pgbouncer')) throw new Error(`REQUIRE asks for pgbouncer, but ${problem}.`)
  if (problem !== undefined || !machine) return { closed: problem ?? '' }
  const libraries = join(place, 'usr/lib', machine.folder)
  return {
    file: join(place, 'usr/sbin/pgbouncer'),
    how: `pgbouncer of Debian's ${PREPARING.release}, in .cache/servers`,
    env: {},
    loader: [join(libraries, machine.loader), '--library-path', libraries],
  }
}

/** Where Debian puts libraries and the loader, by Node's name for the architecture. */
const MACHINES: Partial<Record<NodeJS.Architecture, { readonly folder: string; readonly loader: string }>> = {
  x64: { folder: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { folder: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
}

/** Starts a PgBouncer with `pool_mode=transaction` that belongs to one test. */
export async function startPgBouncer(found: Program, options: PgBouncerOptions): Promise<PgBouncer> {
  const { folder, postgresUrl, poolSize = 4, preparedStatements, log } = options
  const port = options.port ?? (await freePort())
  const settings = join(folder, 'pgbouncer.ini')
  const kept = preparedStatements === undefined ? '' : `max_prepared_statements = ${preparedStatements}\n`
  writeFileSync(settings, settingsOf(new URL(postgresUrl), port, poolSize) + kept)
  const stopping = { stopSignal: 'SIGINT', stopWithinMs: 10_000 } as const
  const claim = await claimPidFile({ file: join(folder, 'pgbouncer.pid'), what: 'pgbouncer', ...stopping, log })
  try {
    const [command, ...args] = found.loader ? [...found.loader, found.file] : [found.file]
    // It refuses to run as root.
    const asNobody = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const child = await startChild({
      what: 'pgbouncer',
      command,
      args: [...args, settings],
      env: { ...process.env, ...found.env },
      ready: /process up/,
      readyWithinMs: 20_000,
      ...asNobody,
      ...stopping,
      pidFile: claim,
      log,
    })
    const url = `postgresql://127.0.0.1:${port}`
    return { ...isolated(url, port, child), through: (databaseUrl) => through(databaseUrl, port) }
  } catch (error) {
    claim.release()
    throw error
  }
}

function through(databaseUrl: string, port: number): string {
  const url = new URL(overTcp(databaseUrl))
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

/** PgBouncer's default settings except for what a test needs, since operators meet the defaults. */
function settingsOf({ hostname, port, username, password }: URL, ownPort: number, poolSize: number): string {
  const user = username ? ` user=${decodeURIComponent(username)}` : ''
  const secret = password ? ` password=${decodeURIComponent(password)}` : ''
  return `[databases]
* = host=${hostname} port=${port || 5432}${user}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 400
`
}
