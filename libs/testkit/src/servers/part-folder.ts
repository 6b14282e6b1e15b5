import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Longer than anything takes to be prepared: the process that began an older one was killed. */
const STALE_MS = 6 * 60 * 60_000

/** A new folder next to a place, in which that is prepared. */
export function partFolder(place: string): string {
  mkdirSync(dirname(place), { recursive: true })
  return mkdtempSync(`${place}.part-`)
}

/** Removes what killed processes left of a place in the making. */
export function sweepParts(place: string, now = Date.now()): void {
  const folder = dirname(place)
  for (const name of namesIn(folder)) {
    if (!name.startsWith(`${basename(place)}.part-`)) continue
    const part = join(folder, name)
    const begun = statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (begun < now - STALE_MS) rmSync(part, { recursive: true, force: true })
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
