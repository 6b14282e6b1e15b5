import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const DEADLINE_MS = 120_000

/**
 * Fetches a Debian package with all it needs that this system lacks, and unpacks it below `place` in one step.
 * Needs no root and changes nothing of the system: apt works in folders of its own and is only asked what it would do.
 * @returns why it could not be done; undefined when it is there
 */
export async function unpackDebian(name: string, place: string): Promise<string | undefined> {
  if (existsSync(place)) return undefined
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return 'this system has no apt-get'
  let work: string | undefined
  try {
    mkdirSync(join(place, '..'), { recursive: true })
    work = mkdtempSync(`${place}-`)
    await fetchInto(work, name)
    renameSync(join(work, 'tree'), place)
    return undefined
  } catch (error) {
    return existsSync(place) ? undefined : `Debian's ${name} could not be fetched (${lastLine(error)})`
  } finally {
    if (work) rmSync(work, { recursive: true, force: true })
  }
}

async function fetchInto(work: string, name: string): Promise<void> {
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
  }).flatMap(([option, value]) => ['-o', `${option}=${value}`])
  const apt = (...args: string[]) =>
    run('apt-get', ['-q', ...options, ...args], { cwd: debs, timeout: DEADLINE_MS, maxBuffer: 1 << 26 })

  // One of several sources may be out of reach; whether ours was not shows in the next step.
  await apt('update').catch(() => undefined)
  const plan = await apt('--simulate', '--no-install-recommends', 'install', name)
  const missing = [...plan.stdout.matchAll(/^Inst (\S+)/gm)].flatMap(([, found]) => found ?? [])
  await apt('download', ...new Set([name, ...missing]))
  for (const deb of readdirSync(debs)) await run('dpkg-deb', ['-x', join(debs, deb), tree], { timeout: DEADLINE_MS })
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : ''
  return text.trim().split('\n').at(-1) || (error instanceof Error ? error.message : String(error))
}
