import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { RunAs } from './child.ts'

/** Root may not run Postgres, so what root starts runs as the user `nobody`. */
export const NOBODY = { uid: 65_534, gid: 65_534 } as const

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * True when that user may enter this folder, or the folder above it when it is not there yet: every one on the way
 * down from the root grants search. Asks only for other users than ourselves; our own rights show when we act.
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

/** True when the folder is a real one that only we can have filled: ours, and writable by no other user. */
export function onlyOurs(folder: string): boolean {
  const stat = lstatSync(folder)
  if (process.getuid === undefined) return stat.isDirectory()
  return stat.isDirectory() && stat.uid === process.getuid() && (stat.mode & 0o022) === 0
}
