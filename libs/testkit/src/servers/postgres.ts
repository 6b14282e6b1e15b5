import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { type PostgresOptions, startPostgres } from '@callboard/embedded'
import pg from 'pg'
import { byDocker } from './docker.ts'
import { byUrl, type Found, findPart } from './found.ts'
import { byProgram, type IsolatedServer, isolated } from './isolated.ts'
import { type NoProgram, type Program, postgresBins, programFromDebian, programHere } from './programs.ts'

const WANTED = { name: 'postgres', debianPackage: 'postgresql' }

const IMAGE = {
  name: 'postgres:15',
  port: 5432,
  env: { POSTGRES_HOST_AUTH_METHOD: 'trust' },
  ready: /database system is ready to accept connections/,
  // The image starts its server twice: once to set it up, then for good.
  times: 2,
  url: (host: string, port: number) => `postgresql://postgres@${host}:${port}/postgres`,
}

/** A Postgres of another version than the embedded one, so that tests run on two versions. */
export const findSecondPostgres = (): Promise<Found> =>
  findPart('postgres', [
    byUrl('postgres', postgresVersion),
    byProgram(installed, ofRun),
    byDocker(IMAGE),
    byProgram(() => programFromDebian(WANTED), ofRun),
  ])

/** Starts the Postgres whose programs are in `binDir`, for one test. */
export async function startPostgresFrom(
  binDir: string,
  options: Omit<PostgresOptions, 'binDir'>,
): Promise<IsolatedServer> {
  const postgres = await startPostgres({ portSetting: 'the port of startPostgresFrom', ...options, binDir })
  return isolated(postgres.socketUrl(), postgres.port, postgres)
}

/** Starts that other Postgres for one test; throws when this machine cannot have one. */
export async function startSecondPostgres(options: Omit<PostgresOptions, 'binDir' | 'env'>): Promise<IsolatedServer> {
  const here = installed()
  const found = 'file' in here ? here : await programFromDebian(WANTED)
  if ('closed' in found) throw new Error(`No second Postgres can be started: ${found.closed}. Install postgresql.`)
  return startFrom(found, options)
}

/** The output of `select version()`. */
export async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string }>('select version()')
    return rows[0]?.version ?? 'unknown'
  } finally {
    await client.end()
  }
}

/** On the PATH or in the cache; else in Debian's folders of versions, which are not on the PATH. */
function installed(): Program | NoProgram {
  const here = programHere(WANTED)
  if ('file' in here) return here
  const [bin] = postgresBins('/')
  return bin ? { file: `${bin}/postgres`, how: `postgres in ${bin}`, env: {} } : here
}

const ofRun = (found: Program, folder: string) => startFrom(found, { dataDir: folder })

const startFrom = ({ file, env }: Program, options: PostgresOptions) =>
  startPostgresFrom(dirname(realpathSync(file)), { ...options, env })

/** Whether a second Postgres is available without downloads; a test run uses it to select its tests. */
export const hasSecondPostgres = (): boolean => Boolean(process.env.TEST_POSTGRES_URL) || 'file' in installed()
