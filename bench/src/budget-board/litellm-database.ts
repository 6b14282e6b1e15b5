import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startPostgres } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import pg from 'pg'
import { installedPeer } from '../installed-peer.ts'

/** LiteLLM's settings for its database. */
export interface LitellmDatabase {
  readonly env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

/** The folder in which pip installed a Python's packages. */
function packagesOf(python: string): string {
  const lib = join(dirname(python), '../lib')
  return join(lib, readdirSync(lib)[0] ?? '', 'site-packages')
}

/**
 * Generates Prisma’s clients for LiteLLM’s schema: its own in Python, and the one that replaces the engine.
 * @returns the program to start as the engine
 */
function preparedEngine(python: string): string {
  const home = installedPeer('litellm/database', ['--ignore-scripts'])
  const engine = join(home, 'node_modules/query-engine')
  if (existsSync(engine) && existsSync(join(packagesOf(python), 'prisma/client.py'))) return engine
  const schema = join(packagesOf(python), 'litellm/proxy/schema.prisma')
  const ours = join(home, 'node_modules/schema.prisma')
  const generator = 'generator client {\n  provider = "prisma-client-js"\n  engineType = "client"\n}'
  writeFileSync(ours, readFileSync(schema, 'utf8').replace(/^generator client \{[^}]*\}/m, generator))
  const script = join(home, 'node_modules/engine.sh')
  writeFileSync(
    script,
    `#!/bin/sh\nunset PRISMA_CLIENT_ENGINE_TYPE\nexec '${process.execPath}' '${join(home, 'query-engine.js')}' "$@"\n`,
  )
  chmodSync(script, 0o755)
  const env = {
    ...{
      PATH: `${dirname(python)}:${process.env.PATH}`,
      CHECKPOINT_DISABLE: '1',
      DATABASE_URL: 'postgresql://none/none',
    },
    ...{ PRISMA_QUERY_ENGINE_BINARY: script, PRISMA_SCHEMA_ENGINE_BINARY: script, PRISMA_QUERY_ENGINE_LIBRARY: script },
  }
  for (const [cli, file] of [
    ['prisma', ours],
    ['prisma-for-python', schema],
  ] as const) {
    const args = [join(home, 'node_modules', cli, 'build/index.js'), 'generate', '--schema', file]
    const { status } = spawnSync(process.execPath, args, { env, cwd: home, stdio: 'inherit' })
    if (status !== 0) throw new Error('Prisma could not make a client of LiteLLM’s schema')
  }
  writeFileSync(engine, readFileSync(script), { mode: 0o755 })
  return engine
}

/** A Postgres with LiteLLM’s tables, by the migrations that it ships. */
export async function startDatabase(python: string): Promise<LitellmDatabase> {
  const engine = preparedEngine(python)
  const dataDir = temporaryFolder('callboard-bench-')
  const postgres = await startPostgres({ dataDir })
  const stop = async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await postgres.createDatabase('litellm')
    await migrate(url, join(packagesOf(python), 'litellm_proxy_extras/migrations'))
    return {
      env: {
        ...{ DATABASE_URL: url, PRISMA_QUERY_ENGINE_BINARY: engine, DISABLE_SCHEMA_UPDATE: 'true' },
        // It checks its tables against its schema with an engine that is unavailable, and then goes on without.
        ...{ LITELLM_PRISMA_BOOTSTRAP_TIMEOUT: '1', LITELLM_PRISMA_COMMAND_TIMEOUT: '1' },
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function migrate(connectionString: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    for (const name of readdirSync(folder).sort()) {
      const file = join(folder, name, 'migration.sql')
      if (existsSync(file)) await client.query(readFileSync(file, 'utf8'))
    }
  } finally {
    await client.end()
  }
}
