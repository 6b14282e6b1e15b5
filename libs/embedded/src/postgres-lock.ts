import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { endProcess, seeProcess } from './process-table.ts'

/**
 * Makes the cluster's folder free for a start, for the caller that holds the claim on it. Ends a server of ours that
 * still runs there without a pid file. Removes a killed server's `postmaster.pid` when its pid is free or belongs to
 * another program: Postgres only checks whether the pid is alive, and in containers small pids come back soon.
 */
export async function freeCluster(folder: string, log?: (line: string) => void): Promise<void> {
  const lock = join(folder, 'postmaster.pid')
  const pid = lockHolder(lock)
  if (pid === undefined) return
  const holder = seeProcess(pid)
  if (holder?.command.includes(`postgres -D ${folder} -p `)) {
    log?.(`ending Postgres (process ${pid}), which an interrupted run left behind`)
    await endProcess(holder, 'SIGINT', 15_000)
  }
  rmSync(lock, { force: true })
}

function lockHolder(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}
