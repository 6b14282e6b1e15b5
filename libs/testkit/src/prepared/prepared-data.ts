import { execFile } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDevnet, startPostgres } from '@callboard/embedded'

const run = promisify(execFile)
const DATABASE = 'callboard'

/**
 * Fills a folder with what an instance's first start on it makes before its services run: a cluster of Postgres with every schema
 * and no row, and a chain with our contracts.
 * @param main our program, bundled
 */
export async function prepareData(folder: string, main: string): Promise<void> {
  await Promise.all([prepareDatabase(join(folder, 'postgres'), main), prepareChain(folder)])
}

/**
 * Copies such a folder into that of an instance or of a cluster that has not started yet, which finds it as any start finds what
 * an earlier one left.
 * @returns when all is there, under the users who own it
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
  // Where it listened is of this start alone.
  rmSync(join(dataDir, 'postgres.port'))
}

async function prepareChain(dataDir: string): Promise<void> {
  const chain = await openDevnet({ dataDir })
  await chain.stop()
  const state = join(dataDir, 'chain/state.json')
  // The next start would do that.
  renameSync(`${state}.exit`, state)
  for (const file of [`${state}.port`, join(dataDir, 'devnet.json')]) rmSync(file)
}
