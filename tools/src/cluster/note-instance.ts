import { writeInstance } from '@callboard/all/data-folder'
import type { Cluster } from './cluster.ts'

/**
 * Tells commands where this instance is: its servers, and settings that differ from this process's own environment.
 * They sign in to Postgres as the owner of the schemas.
 */
export function noteInstance({ folder, baseUrl, env, of }: Cluster): void {
  const settings = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === process.env[name] || name === 'LOG_LEVEL' ? [] : [[name, value]],
  )
  const adminUrl = of('gateway')[0]?.adminUrl ?? baseUrl
  writeInstance(folder, { pid: process.pid, baseUrl, adminUrl, env: Object.fromEntries(settings) })
}
