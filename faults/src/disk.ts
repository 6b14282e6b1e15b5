import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A folder on a separate disk that can be filled up. */
export interface SmallDisk {
  /** Leaves no free block. */
  fill(): void
  free(): void
  unmount(): void
}

const PIECE = Buffer.alloc(1024 * 1024)

/** Small disks are mounts, which only root may create, and only on Linux. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** Creates a folder on a new disk of the given number of megabytes. */
export function smallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'callboard-faults', folder])
  const ballast = join(folder, 'ballast')
  return {
    fill() {
      const file = openSync(ballast, 'w')
      try {
        for (;;) writeSync(file, PIECE)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => void spawnSync('umount', ['-l', folder]),
  }
}
