import type { Env } from '@callboard/runtime'
import { dataFolders, readInstance } from './data-folder.ts'

/**
 * The settings of the instance that a command works beside: the environment's own `DATABASE_URL`, or what the running
 * instance wrote down, in one process or split.
 * @throws Error that says what to do when there is neither
 */
export function instanceEnv(env: Env): Env {
  const quiet = { LOG_LEVEL: 'error' }
  if (env.DATABASE_URL) return { ...quiet, ...env }
  const folders = dataFolders(env)
  const folder = folders.find(runsOn)
  const instance = folder && readInstance(folder)
  if (!instance) {
    throw new Error(`No instance runs on ${folders.join(' or ')}: start one with npm start, or set DATABASE_URL.`)
  }
  return { ...instance.env, ...quiet, ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')) }
}

/** Where Postgres itself is, past a pooler. */
export const directUrlOf = ({ DATABASE_DIRECT_URL, DATABASE_URL = '' }: Env): string =>
  DATABASE_DIRECT_URL || DATABASE_URL

/** Whether an embedded instance runs on a data folder. */
export function runsOn(folder: string): boolean {
  const instance = readInstance(folder)
  return instance !== undefined && isAlive(instance.pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
