import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '@callboard/testkit/until'
import { PATIENCE_MS } from './faults/fault.ts'
import { signProviderIn } from './load/stage.ts'
import type { World } from './world.ts'

/** The state of everything at one moment. */
export interface Past {
  readonly at: Date
  /** Resets the journal to what was acknowledged until then. */
  readonly recall: () => void
}

const kept = ({ cluster }: World) => join(cluster.folder, 'backup')
const data = ({ cluster }: World) => join(cluster.folder, 'postgres', 'data')

/**
 * Copies Postgres's folder while it is stopped and nothing is in flight: the same as a restore of that moment from a
 * base backup and its WAL.
 */
export async function backUp(world: World): Promise<Past> {
  const { load, cluster } = world
  await load.pause()
  await cluster.postgres.stop()
  rmSync(kept(world), { recursive: true, force: true })
  mkdirSync(kept(world))
  execFileSync('cp', ['-a', `${data(world)}/.`, kept(world)])
  const past = { at: new Date(), recall: load.journal.remember() }
  await cluster.postgres.again()
  load.resume()
  await load.untilWell(PATIENCE_MS)
  return past
}

/** Replaces Postgres's data with the copy; it may be running or not, and runs afterwards. */
export async function restore(world: World): Promise<void> {
  const { postgres } = world.cluster
  await postgres.kill()
  execFileSync('sh', ['-c', `rm -rf "${data(world)}"/* && cp -a "${kept(world)}/." "${data(world)}"`])
  await postgres.again()
}

/** Members whose services have tables: the gateway has none. */
export const withTables = ({ cluster }: World) => cluster.members.filter(({ target }) => target !== 'gateway')

/** Runs the operator command with the cluster's settings. Its output and duration go to the log. */
export async function operate(world: World, ...given: string[]): Promise<void> {
  const askedAt = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, [world.operator, ...given], { env: world.cluster.env })
  world.log(`operator ${given.join(' ')}, in ${((performance.now() - askedAt) / 1_000).toFixed(1)} s\n${stdout}`)
}

const WAITS_WITHIN_MS = 2 * PATIENCE_MS

/** Waits until a starting process reports that its schema is restored and does not serve. */
export async function untilItWaits(world: World, { target, adminUrl }: World['cluster']['members'][number]) {
  await until(
    `${target} says that its schema is restored`,
    async () => {
      const answer = await fetch(`${adminUrl}/readyz`).catch(() => undefined)
      return answer?.status === 503 && (await answer.text()).includes('restored: ')
    },
    WAITS_WITHIN_MS,
  )
  world.log(`${target} waits for the operator`)
}

/** Owners sign in again, and the load resumes with what remains. */
export async function begin(world: World, past: Past): Promise<void> {
  const { load, stage, cluster } = world
  past.recall()
  load.journal.endCredentials()
  await signProviderIn(cluster.baseUrl, stage)
  load.resume()
}
