import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { migrateServices } from '@callboard/runtime'
import { until } from '@callboard/testkit/until'
import { allReady } from '@callboard/tools/cluster'
import { type Fault, PATIENCE_MS } from './faults/fault.ts'
import { type World, type WorldOptions, wideRates } from './world.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Checks out another version next to this one, with the packages it had, for a world of its processes.
 * @param folder of the world
 */
export async function checkOut(ref: string, folder: string): Promise<WorldOptions> {
  const old = join(folder, 'old')
  execFileSync('git', ['clone', '--quiet', '--no-checkout', ROOT, old])
  execFileSync('git', ['-C', old, 'checkout', '--quiet', ref])
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: old, stdio: 'inherit' })
  const { LIMITS } = (await import(join(old, 'libs/contract/src/limits.ts'))) as { LIMITS: object }
  const main = await mainOf(old, join(folder, 'old-programs'))
  const next = await mainOf(ROOT, join(folder, 'new-programs'))
  return { main, next, isOtherVersion: true, limitClasses: Object.keys(LIMITS) }
}

/**
 * The entry point of a checkout as its own bundler makes it: every process starts four times, and sources take three times
 * as long to start. A version without a bundler runs its sources.
 */
async function mainOf(checkout: string, programs: string): Promise<string> {
  const bundler = join(checkout, 'libs/testkit/src/prepared/bundle-programs.ts')
  if (!existsSync(bundler)) return join(checkout, 'services/all/src/main.ts')
  const { bundlePrograms } = (await import(bundler)) as { bundlePrograms(folder: string): Promise<void> }
  await bundlePrograms(programs)
  return join(programs, 'main.mjs')
}

/** Replaces every process, one replica of each service at a time. @param main the entry point; the cluster's own when absent */
async function replaceAll({ cluster }: World, main?: string): Promise<void> {
  for (const replica of [0, 1]) {
    for (const { name } of modules) {
      const member = cluster.of(name)[replica]
      await member?.end()
      await member?.start(main ? { RATE_LIMITS: wideRates() } : {}, main)
    }
  }
  await until('all are ready', () => allReady(cluster.members), PATIENCE_MS)
}

async function upgradeAll(world: World): Promise<void> {
  const { databaseUrl, natsUrl } = world.cluster.urls
  await migrateServices(modules, { ...world.cluster.env, DATABASE_URL: databaseUrl, NATS_URL: natsUrl })
  await replaceAll(world, world.next)
}

/** Run on a cluster of the old version, in this order. */
export const upgrades: readonly Fault[] = [
  {
    name: 'old and new version together',
    how: 'the new migration step runs under a cluster of an older version, then every process is replaced, one replica at a time',
    mustHold:
      'old processes keep working over the new schema, and both versions understand each other’s calls and events',
    inject: upgradeAll,
  },
  {
    name: 'rolled back over the newer schema',
    how: 'every process is replaced by one of the older version again, one replica at a time; the schema stays as the newer version left it',
    mustHold: 'the older version starts over the newer schema and reads what the newer version wrote',
    inject: (world) => replaceAll(world),
  },
  {
    name: 'upgraded again after a rollback',
    how: 'the migration step runs once more and finds nothing to do, and every process is replaced by the newer version',
    mustHold: 'what the older version wrote in the meantime is complete',
    inject: upgradeAll,
  },
]
