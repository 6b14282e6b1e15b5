import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunAs } from './child.ts'
import { runCommand } from './command.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** A cluster and where it remembers how it ran. */
export interface DurableCluster {
  /** Callboard's folder around the cluster. */
  readonly dataDir: string
  /** The cluster's own folder. */
  readonly folder: string
  /** True when this start made the cluster. */
  readonly isNew: boolean
  readonly user: RunAs
  readonly binaries: PostgresBinaries
}

/**
 * Whether a cluster runs with fsync, and makes it fit for it. A folder that ever ran with fsync stays with it: what was
 * promised there was promised for good. One that ran without is written out to the disk before it runs with fsync for the
 * first time, which is possible only when it was stopped in order: after kill -9 or a power cut the files may not belong
 * together, and no later fsync can mend that.
 * @param wanted whether what is stored from now on must outlive a power cut
 * @throws Error with one sentence when the folder cannot become durable
 */
export async function withFsync(wanted: boolean, cluster: DurableCluster): Promise<boolean> {
  const memory = join(cluster.dataDir, 'postgres.fsync')
  const ranWith = existsSync(memory) && readFileSync(memory, 'utf8').trim() === 'on'
  if (!wanted && !ranWith) {
    writeFileSync(memory, 'off\n')
    return false
  }
  if (!ranWith && !cluster.isNew) requireStopped(cluster)
  if (!ranWith) await writeOut(cluster)
  writeFileSync(memory, 'on\n')
  return true
}

function requireStopped({ folder }: DurableCluster): void {
  if (!existsSync(join(folder, 'postmaster.pid'))) return
  throw new Error(
    `The Postgres data in ${folder} ran without fsync and were not stopped in order, so they cannot hold real money: ` +
      'start once on the devnet and stop with Ctrl-C, or choose another CALLBOARD_DATA.',
  )
}

async function writeOut({ folder, user, binaries }: DurableCluster): Promise<void> {
  const args = ['--sync-only', '-D', folder]
  const result = await runCommand({ ...user, command: binaries.initdb, args, env: binaries.env, cwd: '/' })
  if (result.kind === 'ended' && result.code === 0) return
  const said = result.kind === 'ended' ? result.output : result.code
  throw new Error(`The Postgres data in ${folder} could not be written out to the disk: ${said}`)
}
