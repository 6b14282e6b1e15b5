import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { partFolder, sweepParts } from './part-folder.ts'

const run = promisify(execFile)

const DEADLINE_MS = 120_000
/** Debian's mirror of releases. */
const MIRROR = 'http://deb.debian.org/debian'

/** Packages of another Debian release than this system's: a program and all its libraries, since none of ours fit. */
export interface OtherRelease {
  readonly release: string
  readonly packages: readonly string[]
}

/**
 * Fetches a Debian package with all its dependencies that this system lacks, and unpacks it below `place` in one step.
 * Needs no root and changes nothing of the system: apt works in folders of its own and only simulates an install.
 * @returns why it could not be done; undefined on success
 */
export async function unpackDebian(wanted: string | OtherRelease, place: string): Promise<string | undefined> {
  sweepParts(place)
  if (existsSync(place)) return undefined
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return 'this system has no apt-get'
  let work: string | undefined
  try {
    work = partFolder(place)
    await fetchInto(work, wanted)
    renameSync(join(work, 'tree'), place)
    return undefined
  } catch (error) {
    return existsSync(place) ? undefined : `Debian's ${nameOf(wanted)} could not be fetched (${lastLine(error)})`
  } finally {
    if (work) rmSync(work, { recursive: true, force: true })
  }
}

const nameOf = (wanted: string | OtherRelease) => (typeof wanted === 'string' ? wanted : wanted.packages[0])

async function fetchInto(work: string, wanted: string | OtherRelease): Promise<void> {
  const tree = join(work, 'tree')
  const debs = join(work, 'debs')
  for (const folder of ['lists/partial', 'archives/partial', 'debs', 'tree']) {
    mkdirSync(join(work, folder), { recursive: true })
  }
  const options = Object.entries({
    'Dir::State': work,
    'Dir::State::lists': join(work, 'lists'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': work,
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': '',
    'Acquire::Retries': '2',
    ...(typeof wanted === 'string' ? {} : sourcesOf(wanted, work)),
  }).flatMap(([option, value]) => ['-o', `${option}=${value}`])
  const apt = (...args: string[]) =>
    run('apt-get', ['-q', ...options, ...args], { cwd: debs, timeout: DEADLINE_MS, maxBuffer: 1 << 26 })

  // One of several sources may be unreachable; the next step shows whether it was ours.
  await apt('update').catch(() => undefined)
  await apt('download', ...(typeof wanted === 'string' ? await withWhatIsMissing(apt, wanted) : wanted.packages))
  for (const deb of readdirSync(debs)) await run('dpkg-deb', ['-x', join(debs, deb), tree], { timeout: DEADLINE_MS })
}

/** Options that point apt to another release, without anything that a program does not need. */
function sourcesOf({ release }: OtherRelease, work: string): Readonly<Record<string, string>> {
  const list = join(work, 'other.list')
  writeFileSync(list, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${MIRROR} ${release} main\n`)
  return {
    'Dir::Etc::sourcelist': list,
    'Dir::Etc::sourceparts': '/dev/null',
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  }
}

type Apt = (...args: string[]) => Promise<{ readonly stdout: string }>

async function withWhatIsMissing(apt: Apt, name: string): Promise<readonly string[]> {
  const { stdout } = await apt('--simulate', '--no-install-recommends', 'install', name)
  const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].flatMap(([, found]) => found ?? [])
  return [...new Set([name, ...missing])]
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : ''
  return text.trim().split('\n').at(-1) || (error instanceof Error ? error.message : String(error))
}
