import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for a run, which its creator removes. Other users may enter it: Postgres does not run as root, and would
 * keep its data elsewhere, where no run removes them.
 */
export const temporaryFolder = (prefix: string): string => folderIn(tmpdir(), prefix)

/** Such a folder for servers' data: in memory, if there is plenty. Data there also survives a kill -9. */
export const serverFolder = (prefix: string): string => folderIn(serverFolders(), prefix)

const MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Many times what a run stores at once. */
const ROOM = 4 * 2 ** 30

/**
 * Where they are created. A run creates and removes some hundred thousand database files, and ext4 looks for a free
 * inode beyond all those removed within the last minutes: on a disk that is a large part of Postgres's cost.
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
