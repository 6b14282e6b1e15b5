import { execFile } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDevnet, startPostgres } from '@callboard/embedded'

const run = promisify(execFile)
const DATABASE = 'callboard'

/**
 * Fills a folder with what an instance's first start creates before its services run: a Postgres cluster with every
 * schema and no rows, and a chain with our contracts.
 * @param main our program, bundled
 */
export async function prepareData(folder: string, main: string): Promise<void> {
  await Promise.all([prepareDatabase(join(folder, 'postgres'), main), prepareChain(folder)])
}

/**
 * Copies such a folder into that of an instance or cluster before its first start, which treats it like data of an
 * earlier one.
 * @returns when everything is there, owned by the right users
 */
export async function copyPrepared(data: string, folder: string): Promise<void> {
  await run('cp', ['-Rp', `${data}/.`, folder])
}

async function prepareDatabase(dataDir: string, main: string): Promise<void> {
  const postgres = await startPostgres({ dataDir })
  try {
    const env = { ...process.env, DATABASE_URL: await postgres.createDatabase(DATABASE) }
    await run(process.execPath, [main, '--migrate'], { env })
  } finally {
    await postgres.stop()
  }
  // The port belongs to this start only.
  rmSync(join(dataDir, 'postgres.port'))
}

async function prepareChain(dataDir: string): Promise<void> {
  const chain = await openDevnet({ dataDir })
  await chain.stop()
  const state = join(dataDir, 'chain/state.json')
  // The next start would do the same.
  renameSync(`${state}.exit`, state)
  for (const file of [`${state}.port`, join(dataDir, 'devnet.json')]) rmSync(file)
}
