import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { migrateServices } from '@callboard/runtime'
import { until } from '@callboard/testkit/until'
import { MAIN } from '@callboard/tools/cluster'
import { type Fault, PATIENCE_MS } from './faults/fault.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Checks another version out beside this one, with the packages it had. @returns the entry of its processes */
export function checkOut(ref: string, folder: string): string {
  execFileSync('git', ['clone', '--quiet', '--no-checkout', ROOT, folder])
  execFileSync('git', ['-C', folder, 'checkout', '--quiet', ref])
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  return join(folder, 'services/all/src/main.ts')
}

/** Done to a cluster that runs the old version. */
export const upgrade: Fault = {
  name: 'old and new version together',
  how: 'a cluster of an older version: the new migration step runs under it, then every process is replaced, one replica at a time',
  mustHold: 'old processes go on over the new schema, and both versions understand each other’s calls and events',
  async inject({ cluster }) {
    const { databaseUrl, natsUrl } = cluster.urls
    await migrateServices(modules, { ...cluster.env, DATABASE_URL: databaseUrl, NATS_URL: natsUrl })
    for (const replica of [0, 1]) {
      for (const { name } of modules) {
        const member = cluster.of(name)[replica]
        await member?.end()
        await member?.start({}, MAIN)
      }
    }
    await until('all are ready', () => cluster.members.every(({ ready }) => ready), PATIENCE_MS)
  },
}
