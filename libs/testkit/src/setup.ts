import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@callboard/embedded'
import type { TestProject } from 'vitest/node'
import './provided.ts'

/** Vitest's global set-up: one Postgres for the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-test-'))
  const postgres = await startPostgres({ dataDir })
  project.provide('postgresUrl', postgres.url())
  project.provide('natsUrl', null)
  project.provide('redisUrl', null)
  project.provide('absent', {})
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
