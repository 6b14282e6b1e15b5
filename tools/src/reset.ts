import { existsSync, globSync, lstatSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { dataFolder } from '@callboard/all/data-folder'
import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run reset [--help]
  Deletes the data of the local instance, after naming the folder: its databases, its devnet and its secrets.
settings: CALLBOARD_DATA (.callboard), the folder; .callboard-split is the folder of npm run dev:split`

/**
 * What an instance or a cluster leaves in its folder; any other folder is not ours to delete. A folder `postgres` alone
 * does not tell: others have one.
 */
const OURS = ['secrets.json', 'devnet.json', 'postgres/postgres.pid', 'postgres/postgres.port']

commandLine(process.argv.slice(2), { usage: USAGE })
const folder = dataFolder(process.env)
try {
  await reset()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function reset(): Promise<void> {
  if (!existsSync(folder)) {
    console.log(`There is no ${folder}: nothing to delete.`)
    return
  }
  const entries = readdirSync(folder)
  if (entries.length > 0 && !OURS.some((name) => existsSync(join(folder, name)))) {
    throw new Error(
      `${folder} is not the data of an instance: it holds ${entries.slice(0, 3).join(', ')}. Nothing deleted.`,
    )
  }
  const { claimPidFile } = await import('@callboard/embedded')
  // A process running on the folder holds its claim, and a server left by a killed one is ended.
  for (const file of globSync('{*,*/*}.pid', { cwd: folder }).map((path) => join(folder, path))) {
    const isPostgres = basename(file) === 'postgres.pid'
    const stopping = { stopSignal: isPostgres ? 'SIGINT' : 'SIGTERM', stopWithinMs: 15_000 } as const
    const claim = await claimPidFile({
      file,
      what: isPostgres ? 'Postgres' : 'A server',
      ...stopping,
      log: console.log,
    })
    claim.release()
  }
  const behindLink = elsewhere(join(folder, 'postgres', 'data'))
  const places = [...behindLink, folder]
  console.log(`Deleting ${places.join(' and ')}: databases, devnet and secrets of the local instance.`)
  for (const place of places) rmSync(place, { recursive: true, force: true })
  for (const place of behindLink) removeIfEmpty(dirname(place))
}

/** The cluster's own folder when it is behind a link: Postgres may not enter our folder, or someone moved its data. */
function elsewhere(data: string): readonly string[] {
  const isLink = lstatSync(data, { throwIfNoEntry: false })?.isSymbolicLink() && existsSync(data)
  return isLink ? [realpathSync(data)] : []
}

/** The folder around such a cluster is empty now, unless it holds what others put there. */
function removeIfEmpty(around: string): void {
  try {
    rmdirSync(around)
  } catch {
    // It is not empty, or not ours to remove.
  }
}
