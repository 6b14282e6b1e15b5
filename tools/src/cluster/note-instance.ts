import { writeInstance } from '@callboard/all/data-folder'
import type { Cluster } from './cluster.ts'

/**
 * Tells the commands that work beside an instance where this one is: its servers and settings, other than those of this
 * process's own environment. They sign in to Postgres as the owner of the schemas.
 */
export function noteInstance({ folder, baseUrl, env, of }: Cluster): void {
  const settings = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === process.env[name] || name === 'LOG_LEVEL' ? [] : [[name, value]],
  )
  const adminUrl = of('gateway')[0]?.adminUrl ?? baseUrl
  writeInstance(folder, { pid: process.pid, baseUrl, adminUrl, env: Object.fromEntries(settings) })
}
