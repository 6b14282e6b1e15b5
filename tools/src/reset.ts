import { existsSync, globSync, lstatSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { dataFolder, SECRETS } from '@callboard/all/data-folder'
import { commandLine } from '@callboard/runtime/command-line'

const USAGE = `usage: npm run reset [--help]
  Deletes the data of the local instance, after naming the folder: its databases, its devnet and its secrets.
settings: CALLBOARD_DATA (.callboard), the folder; .callboard-split is the folder of npm run dev:split`

/** The folders of an instance's or a cluster's servers. */
const SERVERS = ['postgres', 'chain', 'nats', 'redis']
/** What an instance or a cluster makes in its folder. Anything else there is not ours to delete. */
const MADE = [
  ...SERVERS,
  ...['secrets.json', 'devnet.json', 'instance.json', 'mirror.sources.yaml', 'router.models.yaml'],
]

/** By these a folder is known. A folder `postgres` alone does not tell, nor does `secrets.json`: others have one. */
const TELLING = ['devnet.json', 'instance.json', 'postgres/postgres.pid', 'postgres/postgres.port']

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
  if (entries.length > 0 && !isOurs()) {
    throw new Error(
      `${folder} is not the data of an instance: it holds ${entries.slice(0, 3).join(', ')}. Nothing deleted.`,
    )
  }
  const { claimPidFile } = await import('@callboard/embedded')
  // A process running on the folder holds its claim, and a server left by a killed one is ended.
  for (const file of globSync(`{${SERVERS.join(',')}}/*.pid`, { cwd: folder }).map((path) => join(folder, path))) {
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
  const made = entries.filter((name) => MADE.includes(name.replace(/\.new$/, '')))
  const others = entries.filter((name) => !made.includes(name))
  const places = [...behindLink, folder]
  console.log(`Deleting ${places.join(' and ')}: databases, devnet and secrets of the local instance.`)
  for (const place of [...behindLink, ...made.map((name) => join(folder, name))]) {
    rmSync(place, { recursive: true, force: true })
  }
  for (const place of behindLink) removeIfEmpty(dirname(place))
  if (others.length === 0) removeIfEmpty(folder)
  else console.log(`Left ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}: no instance made that.`)
}

function isOurs(): boolean {
  if (TELLING.some((name) => existsSync(join(folder, name)))) return true
  const secrets = join(folder, 'secrets.json')
  return existsSync(secrets) && SECRETS.some((name) => readFileSync(secrets, 'utf8').includes(name))
}

/** The cluster's own folder when it is behind a link: Postgres may not enter our folder, or someone moved its data. */
function elsewhere(data: string): readonly string[] {
  const isLink = lstatSync(data, { throwIfNoEntry: false })?.isSymbolicLink() && existsSync(data)
  return isLink ? [realpathSync(data)] : []
}

/** A folder around what was deleted is empty now, unless it holds what others put there. */
function removeIfEmpty(around: string): void {
  try {
    rmdirSync(around)
  } catch {
    // It is not empty, or not ours to remove.
  }
}
