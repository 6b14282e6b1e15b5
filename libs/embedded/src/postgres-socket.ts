import { chownSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { RunAs } from './child.ts'
import { canReach } from './reach.ts'

/** The longest socket path on any system. @source macOS, sys/un.h: 104 bytes with the closing NUL; Linux has 108 */
const LONGEST_PATH = 103
/** Postgres's name for its socket, on the highest port. */
const LONGEST_NAME = '.s.PGSQL.65535'

/**
 * Returns a folder for Postgres's socket, which only its user and root may enter. It is emptied, because a killed
 * server leaves its socket there, and a lock that names a process of long ago.
 * @returns undefined where none is possible: on Windows, if the path is too long, in a file system without sockets,
 *   or where the user of Postgres has no access
 */
export async function socketFolder(dataDir: string, user: RunAs): Promise<string | undefined> {
  const folder = join(dataDir, 'socket')
  const isTooLong = Buffer.byteLength(join(folder, LONGEST_NAME)) > LONGEST_PATH
  if (process.platform === 'win32' || isTooLong || !canReach(dataDir, user)) return undefined
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  if (!(await holdsSockets(folder))) return undefined
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  return folder
}

/** Whether a socket can be created there: shared folders of virtual machines hold only files. */
const holdsSockets = (folder: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(join(folder, '.s.tried'), () => server.close(() => resolve(true)))
  })
