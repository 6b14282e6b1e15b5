import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { RunAs } from './child.ts'
import { runCommand } from './command.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { canReach, isRoot, NOBODY } from './reach.ts'

/** The role that owns everything in the embedded Postgres: the only one, without password, as it is loopback only. */
export const POSTGRES_USER = 'callboard'

/** Where root's data are stored when no other user may enter the given folder, such as one below /root. */
const REACHABLE = '/var/lib/callboard'

/**
 * The user as which Postgres runs: ourselves, or as root the owner of existing data, or else the user `nobody`.
 * @param dataDir the folder given to `startPostgres`
 */
export function postgresUser(dataDir: string): RunAs {
  if (!isRoot()) return {}
  const cluster = join(dataDir, 'data')
  if (!existsSync(cluster)) return NOBODY
  const { uid, gid } = statSync(cluster)
  return uid === 0 ? NOBODY : { uid, gid }
}

/**
 * The cluster's own folder, `data` in `dataDir`, created by initdb when missing. It appears in one step: an interrupted
 * initdb leaves nothing that a later start could mistake for data. For root with a folder that other users cannot enter
 * it is a link to a folder below /var/lib/callboard.
 */
export async function cluster(
  dataDir: string,
  user: RunAs,
  binaries: PostgresBinaries,
  log?: (line: string) => void,
): Promise<string> {
  const place = join(resolve(dataDir), 'data')
  letIn(resolve(dataDir), user)
  if (!existsSync(place)) await createCluster(place, user, binaries, log)
  const folder = realpathSync(place)
  requireReach(folder, user)
  requireOwner(folder, user)
  requireMajor(folder, binaries.major)
  return folder
}

/** `dataDir` is Postgres's own folder, so its user may enter it; we do not open folders above it. */
function letIn(dataDir: string, user: RunAs): void {
  if (!canReach(dataDir, user) && canReach(dirname(dataDir), user)) chmodSync(dataDir, statSync(dataDir).mode | 0o011)
}

async function createCluster(place: string, user: RunAs, binaries: PostgresBinaries, log?: (line: string) => void) {
  const target = canReach(place, user) ? here(place) : elsewhere(place, log)
  const fresh = `${target}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(fresh, user.uid, user.gid)
  await initdb(fresh, user, binaries)
  renameSync(fresh, target)
}

/** Before there is a cluster, its path may only hold a link to data that were removed. */
function here(place: string): string {
  rmSync(place, { force: true })
  return place
}

function elsewhere(place: string, log?: (line: string) => void): string {
  const begun = lstatSync(place, { throwIfNoEntry: false }) ? readlinkSync(place) : undefined
  if (begun !== undefined && existsSync(dirname(begun))) return begun
  mkdirSync(REACHABLE, { recursive: true, mode: 0o755 })
  const folder = mkdtempSync(join(REACHABLE, 'postgres-'))
  chmodSync(folder, 0o711)
  const target = join(folder, 'data')
  symlinkSync(target, here(place))
  log?.(`Postgres keeps its data in ${folder}: it may not run as root, and other users cannot enter ${place}`)
  return target
}

async function initdb(folder: string, user: RunAs, { initdb, major, env }: PostgresBinaries): Promise<void> {
  const args = ['-D', folder, '-U', POSTGRES_USER, '-A', 'trust', '-E', 'UTF8', '--no-sync']
  // Sorted by code point, with letter case for all of Unicode; before version 17 the system's own C.UTF-8 does that.
  const builtin = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const locale = Number(major) >= 17 ? builtin : ['--locale=C.UTF-8']
  const result = await runCommand({
    ...user,
    command: initdb,
    args: [...args, ...locale],
    env,
    cwd: '/',
  })
  if (result.kind === 'ended' && result.code === 0) return
  const said = result.kind === 'ended' ? result.output : result.code
  if (said.includes('could not look up effective user ID')) {
    throw new Error(
      `Postgres cannot make its data folder as user ${process.getuid?.()}, who has no entry in /etc/passwd: ` +
        'add one, or set DATABASE_URL to a Postgres that runs already.',
    )
  }
  throw new Error(`Postgres could not make its data folder ${folder}:\n  ${said.split('\n').slice(-5).join('\n  ')}`)
}

function requireReach(folder: string, user: RunAs): void {
  if (canReach(folder, user)) return
  throw new Error(
    `User ${user.uid}, as whom Postgres runs, cannot enter ${folder}: move the data folder to where others may enter.`,
  )
}

function requireOwner(folder: string, user: RunAs): void {
  if (process.getuid === undefined) return
  const { uid } = statSync(folder)
  const wanted = user.uid ?? process.getuid()
  if (uid === wanted) return
  throw new Error(
    `The Postgres data in ${folder} belong to user ${uid}: start as that user or root, or choose another data folder.`,
  )
}

function requireMajor(folder: string, major: string): void {
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new Error(
    `The data in ${folder} are of Postgres ${found}, not ${major}: choose another data folder, or set DATABASE_URL.`,
  )
}
