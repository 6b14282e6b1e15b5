import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunAs } from './child.ts'
import { runCommand } from './command.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** A cluster, and where it records how it ran. */
export interface DurableCluster {
  /** Callboard's folder around the cluster. */
  readonly dataDir: string
  /** The cluster's own folder. */
  readonly folder: string
  /** Whether this start created the cluster. */
  readonly isNew: boolean
  readonly user: RunAs
  readonly binaries: PostgresBinaries
}

/**
 * Decides whether a cluster runs with fsync, and prepares it for that. A folder that ever ran with fsync stays with it,
 * since its commits were promised to last. One that ran without is flushed to disk before it first runs with fsync,
 * which is possible only after an orderly stop: after kill -9 or a power cut the files may be inconsistent, and no
 * later fsync can fix that.
 * @param wanted whether what is stored from now on must survive a power cut
 * @throws Error with one sentence when the folder cannot become durable
 */
export async function withFsync(wanted: boolean, cluster: DurableCluster): Promise<boolean> {
  const memory = join(cluster.dataDir, 'postgres.fsync')
  const ranWith = existsSync(memory) && readFileSync(memory, 'utf8').trim() === 'on'
  // What is right is not written again: a full disk would leave the file empty, and durable data as what is not.
  if (ranWith) return true
  if (!wanted) {
    writeFileSync(memory, 'off\n')
    return false
  }
  if (!cluster.isNew) requireStopped(cluster)
  await writeOut(cluster)
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
