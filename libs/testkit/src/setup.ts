import { rmSync } from 'node:fs'
import { endWithThisProcess, startPostgres, type Watchdog } from '@callboard/embedded'
import type { TestProject } from 'vitest/node'
import './provided.ts'
import { type AskedServer, askedServers } from './asked-servers.ts'
import { MadeOnce } from './prepared/made-once.ts'
import { noteParts } from './run/parts-note.ts'
import { type Found, findNats, findRedis, findSecondPostgres, foundParts, type PartSummary } from './servers/index.ts'
import { serverFolder, temporaryFolder } from './temporary-folder.ts'

/** The vitest project that repeats the suites on another version of Postgres. */
export const SECOND_POSTGRES = 'second postgres'

const EMBEDDED: PartSummary = { part: 'embedded postgres', found: true, how: 'PostgreSQL 18 from npm' }

/** The environment variable with this run's folder, for the processes it starts. */
const OWN_FOLDER = 'CALLBOARD_TEST_FOLDER'

type Stop = () => Promise<void>

/**
 * Vitest's global set-up: starts the servers that the chosen files of one project ask for before its first test, and
 * stops them after its last. A killed run leaves none behind.
 */
export default async function setup(project: TestProject): Promise<Stop> {
  const stops: Stop[] = []
  const absent: Record<string, string> = {}
  const started = new Set<AskedServer>()
  const isSecond = project.name === SECOND_POSTGRES
  const watchdog = endWithThisProcess()
  ownFolder(watchdog)
  keepCompiled(watchdog)
  const use = (part: string, found: Found): string | null => {
    if (found.kind === 'absent') {
      absent[part] = found.why
      return null
    }
    stops.push(() => found.stop())
    if (found.folder) watchdog.remove(found.folder)
    return found.url
  }
  const made = new MadeOnce((what) => {
    const folder = serverFolder(`callboard-${what}-`)
    watchdog.remove(folder)
    stops.push(async () => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  const start: Readonly<Record<AskedServer, () => Promise<void>>> = {
    async postgresUrl() {
      const url = isSecond ? use('postgres', await findSecondPostgres()) : await embeddedPostgres(stops, watchdog)
      project.provide('postgresUrl', url ?? '')
    },
    natsUrl: async () => project.provide('natsUrl', isSecond ? null : use('nats', await findNats())),
    redisUrl: async () => project.provide('redisUrl', use('redis', await findRedis())),
    programs: async () => project.provide('programs', await made.programs()),
    preparedData: async () => project.provide('preparedData', await made.data()),
  }
  async function startFor(files: readonly string[]): Promise<void> {
    const asked = [...askedServers(files)].filter((server) => !started.has(server))
    for (const server of asked) started.add(server)
    await Promise.all(asked.map((server) => start[server]()))
    project.provide('absent', absent)
    noteParts(foundParts())
    if (started.has('postgresUrl') && !isSecond) noteParts([EMBEDDED])
  }

  await startFor(project.vitest.state.getPaths().filter((file) => project.matchesTestGlob(file)))
  project.onTestsRerun((specifications) => {
    started.delete('programs')
    made.bundleAgain()
    return startFor(specifications.map(({ moduleId }) => moduleId))
  })
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Gives this run a folder in which all of its processes create theirs, so that killed ones' leftovers go with it. */
function ownFolder(watchdog: Watchdog): void {
  if (process.env[OWN_FOLDER]) return
  const folder = temporaryFolder('callboard-run-')
  // Servers of other projects may keep their data in it until the end.
  watchdog.remove(folder)
  process.env[OWN_FOLDER] = process.env.TMPDIR = folder
}

/**
 * Has Node cache compiled code for this run: tests start some hundred processes of the same few programs, and half of a
 * start's CPU time goes into reading sources. A process writes its cache as it ends, so the folder is removed last.
 */
function keepCompiled(watchdog: Watchdog): void {
  if (process.env.NODE_COMPILE_CACHE) return
  const folder = temporaryFolder('callboard-compiled-')
  watchdog.remove(folder)
  process.env.NODE_COMPILE_CACHE = folder
}

/** The Postgres from npm, on a folder that is removed with it. */
async function embeddedPostgres(stops: Stop[], watchdog: Watchdog): Promise<string> {
  const dataDir = serverFolder('callboard-test-')
  watchdog.remove(dataDir)
  const postgres = await startPostgres({ dataDir })
  stops.push(async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return postgres.socketUrl()
}
