import { readFileSync } from 'node:fs'
import type { Member } from '@callboard/tools/cluster'
import pg from 'pg'
import { cpuTimeMs } from '../cpu-time.ts'

const KIB_PER_MIB = 1_024

/** Resident memory of a process, in MiB. @source proc(5), `VmRSS` */
export function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / KIB_PER_MIB
}

/** Milliseconds of CPU so far, by service and including child servers. */
export const cpuOf = (pids: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map([...pids].map(([name, pid]) => [name, cpuTimeMs(pid)]))

/** What was used between two measurements, by name. */
export const usedBetween = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> => new Map([...after].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)]))

/** The process of each service. @throws Error where one is gone */
export const pidsOf = (members: readonly Member[]): ReadonlyMap<string, number> =>
  new Map(
    members.map(({ target, pid }) => {
      if (pid === undefined) throw new Error(`${target} is gone`)
      return [target, pid]
    }),
  )

/** Connections to a database by role, without the one that asks. */
export async function connectionsOf(databaseUrl: string): Promise<ReadonlyMap<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ role: string; count: string }>(
    `select usename as role, count(*) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() group by usename`,
  )
  await client.end()
  return new Map(rows.map(({ role, count }) => [role.replace(/^callboard_/, '').replaceAll('_', '-'), Number(count)]))
}
