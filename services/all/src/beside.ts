import { directDatabaseUrl, type Env, isSet, RuntimeConfig, readConfigs } from '@callboard/runtime'
import type { z } from 'zod'
import { dataFolders, readInstance } from './data-folder.ts'

/**
 * The settings of the instance that a command works on: the environment's own `DATABASE_URL`, or what the running
 * instance recorded, in one process or split.
 * @throws Error that says what to do when there is neither
 */
export function instanceEnv(env: Env): Env {
  const quiet = { LOG_LEVEL: 'error' }
  if (isSet(env, 'DATABASE_URL')) return { ...quiet, ...env }
  const folders = dataFolders(env)
  const folder = folders.find(runsOn)
  const instance = folder && readInstance(folder)
  if (!instance) {
    throw new Error(`No instance runs on ${folders.join(' or ')}: start one with npm start, or set DATABASE_URL.`)
  }
  return beneath({ ...instance.env, ...quiet }, env)
}

const Postgres = RuntimeConfig.pick({ DATABASE_URL: true, DATABASE_DIRECT_URL: true })

/**
 * The URL of Postgres itself, bypassing a pooler. Reads no other setting.
 * @throws ConfigError when none is given
 */
export function directUrlOf(env: Env): string {
  const [postgres] = readConfigs([Postgres], env) as [z.output<typeof Postgres>]
  return directDatabaseUrl(postgres)
}

/** An environment with defaults from another: its own settings, given directly or by a file, take precedence. */
export const beneath = (others: Env, env: Env): Env => ({
  ...Object.fromEntries(Object.entries(others).filter(([name]) => !isSet(env, name))),
  ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
})

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
