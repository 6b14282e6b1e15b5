import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for a run, which its maker removes. Other users may enter it: Postgres does not run as root, and would
 * keep its data elsewhere, where no run removes them.
 */
export const temporaryFolder = (prefix: string): string => folderIn(tmpdir(), prefix)

/** Such a folder for the data of servers: in memory, where there is plenty. What was written outlives a kill -9 there too. */
export const serverFolder = (prefix: string): string => folderIn(serverFolders(), prefix)

const MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** What a run keeps at once, many times over. */
const ROOM = 4 * 2 ** 30

/**
 * Where they are made. A run makes and removes some hundred thousand files of databases, and ext4 looks for a free inode
 * past all that were removed within the last minutes: on a disk that is a large part of what Postgres costs.
 */
export function serverFolders(): string {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    return type === TMPFS && bavail * bsize > ROOM && process.availableMemory() > ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

function folderIn(place: string, prefix: string): string {
  const folder = mkdtempSync(join(place, prefix))
  chmodSync(folder, 0o755)
  return folder
}
