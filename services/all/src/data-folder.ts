import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeWhole } from '@callboard/embedded/write-whole'
import type { Env } from '@callboard/runtime'

/** Where an instance stores what must last: Postgres, devnet, own secrets. `CALLBOARD_DATA`, default `.callboard`. */
export const dataFolder = (env: Env): string => resolve(env.CALLBOARD_DATA || '.callboard')

/** The folders where commands look for a running instance: the given one, or those of `npm start` and `dev:split`. */
export const dataFolders = (env: Env): string[] =>
  env.CALLBOARD_DATA ? [dataFolder(env)] : [dataFolder(env), resolve('.callboard-split')]

/** What a running instance records for the commands that work next to it. */
export interface InstanceFile {
  readonly pid: number
  readonly baseUrl: string
  readonly adminUrl: string
  /** The settings that the embedded parts provided to the services. */
  readonly env: Readonly<Record<string, string>>
}

const OWNER_ONLY = { mode: 0o600 }

const instancePath = (folder: string) => join(folder, 'instance.json')

/** @throws Error that names the folder: the system's own, for a full disk, names nothing */
export function writeInstance(folder: string, instance: InstanceFile): void {
  try {
    writeWhole(instancePath(folder), `${JSON.stringify(instance, null, 2)}\n`, OWNER_ONLY)
  } catch (error) {
    const { message } = error as Error
    throw new Error(`The data folder ${folder} (CALLBOARD_DATA) cannot be written: ${message}.`, { cause: error })
  }
}

/** The instance that last ran on this folder; undefined when none ever did. */
export function readInstance(folder: string): InstanceFile | undefined {
  const path = instancePath(folder)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as InstanceFile) : undefined
}

/** The secrets of an instance, 32 random bytes each. */
export const SECRETS = ['LINK_SIGNING_KEY', 'ROUTER_RECEIPT_KEY', 'PROBE_SIGNING_KEYS'] as const

/** Secrets created once and stored in the data folder, readable only by its owner; a newer version adds its own. */
export function keptSecrets(folder: string): Record<(typeof SECRETS)[number], string> {
  const path = join(folder, 'secrets.json')
  mkdirSync(folder, { recursive: true })
  const kept: Record<string, string> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const missing = SECRETS.filter((name) => kept[name] === undefined)
  for (const name of missing) kept[name] = randomBytes(32).toString('hex')
  if (missing.length > 0) writeWhole(path, JSON.stringify(kept), OWNER_ONLY)
  return kept as Record<(typeof SECRETS)[number], string>
}
