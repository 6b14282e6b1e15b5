import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { RunAs } from './child.ts'

/** Postgres refuses to run as root, so what root starts runs as the user `nobody`. */
export const NOBODY = { uid: 65_534, gid: 65_534 } as const

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Whether that user may enter this folder, or the folder above it when it does not exist yet: every one on the path
 * from the root grants search. Checked only for other users than ourselves; our own rights show when we act.
 */
export function canReach(path: string, { uid, gid }: RunAs): boolean {
  if (uid === undefined) return true
  const start = resolve(path)
  let folder = realpathSync(existsSync(start) ? start : dirname(start))
  for (; folder !== dirname(folder); folder = dirname(folder)) {
    if (!grantsSearch(folder, uid, gid)) return false
  }
  return true
}

function grantsSearch(folder: string, uid: number, gid: number | undefined): boolean {
  const { mode, uid: owner, gid: group } = statSync(folder)
  if (owner === uid) return (mode & 0o100) !== 0
  if (group === gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

/** Whether the folder is a real one that only we can have filled: ours, and not writable by others. */
export function onlyOurs(folder: string): boolean {
  const stat = lstatSync(folder)
  if (process.getuid === undefined) return stat.isDirectory()
  return stat.isDirectory() && stat.uid === process.getuid() && (stat.mode & 0o022) === 0
}
