import { rmSync } from 'node:fs'
import { startPostgres } from '@callboard/embedded'
import type { TestProject } from 'vitest/node'
import './provided.ts'
import { noteParts } from './parts-note.ts'
import { type Found, findNats, findRedis, findSecondPostgres, foundParts } from './servers/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The vitest project that runs the suites once more on another version of Postgres. */
export const SECOND_POSTGRES = 'second postgres'

type Stop = () => Promise<void>

/** Vitest's global set-up: the servers of one project, started before its first test and stopped after its last. */
export default async function setup(project: TestProject): Promise<Stop> {
  const stops: Stop[] = []
  const absent: Record<string, string> = {}
  const use = (part: string, found: Found): string | null => {
    if (found.kind === 'running') stops.push(() => found.stop())
    else absent[part] = found.why
    return found.kind === 'running' ? found.url : null
  }
  if (project.name === SECOND_POSTGRES) {
    project.provide('postgresUrl', use('postgres', await findSecondPostgres()) ?? '')
    project.provide('natsUrl', null)
    project.provide('redisUrl', null)
  } else {
    const dataDir = temporaryFolder('callboard-test-')
    const [postgres, nats, redis] = await Promise.all([startPostgres({ dataDir }), findNats(), findRedis()])
    stops.push(async () => {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    project.provide('postgresUrl', postgres.url())
    project.provide('natsUrl', use('nats', nats))
    project.provide('redisUrl', use('redis', redis))
  }
  project.provide('absent', absent)
  noteParts(foundParts())
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
