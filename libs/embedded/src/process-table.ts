import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A living process as the system reports it. Two sightings with equal `started` and pid are the same process. */
export interface Sighting {
  readonly pid: number
  /** When it began, in the system's format: distinguishes a reused pid from its previous process. */
  readonly started: string
  /** Program and arguments, joined by spaces. */
  readonly command: string
}

/** The living process with this pid; undefined when there is none, or only an unreaped zombie. */
export function seeProcess(pid: number): Sighting | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return process.platform === 'linux' ? seeInProc(pid) : seeWithPs(pid)
}

/** Whether the process that was seen is still alive. */
export function stillAlive(seen: Sighting): boolean {
  const now = seeProcess(seen.pid)
  return now !== undefined && now.started === seen.started
}

/** Ends a process that is not our child: the signal, then SIGKILL if it is alive at the deadline. */
export async function endProcess(seen: Sighting, signal: NodeJS.Signals, withinMs: number): Promise<void> {
  send(seen, signal)
  if (await goneWithin(seen, withinMs)) return
  send(seen, 'SIGKILL')
  if (await goneWithin(seen, 5_000)) return
  throw new Error(`Process ${seen.pid} (${seen.command}) did not end after SIGKILL; end it by hand and start again.`)
}

/**
 * The living processes that started with this setting in their environment, and that we may inspect.
 * @param setting as `NAME=value`, of a value without spaces that no other setting holds
 */
export function processesWith(setting: string): readonly Sighting[] {
  return (process.platform === 'linux' ? pidsInProc(setting) : pidsWithPs(setting)).flatMap(
    (pid) => seeProcess(pid) ?? [],
  )
}

async function goneWithin(seen: Sighting, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms
  while (stillAlive(seen)) {
    if (Date.now() > deadline) return false
    await delay(20)
  }
  return true
}

function send(seen: Sighting, signal: NodeJS.Signals): void {
  if (!stillAlive(seen)) return
  try {
    process.kill(seen.pid, signal)
  } catch (error) {
    if (stillAlive(seen))
      throw new Error(`Process ${seen.pid} (${seen.command}) may not be ended by us.`, { cause: error })
  }
}

function seeInProc(pid: number): Sighting | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces; then follow: state, parent, … and as 20th the start in clock ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
    return { pid, started: `${boot}/${fields[19]}`, command }
  } catch {
    return undefined
  }
}

function seeWithPs(pid: number): Sighting | undefined {
  const ps = spawnSync('ps', ['-ww', '-o', 'stat=,lstart=,command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  })
  const match = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec((ps.stdout ?? '').trim())
  if (!match?.[1] || !match[2] || match[1].startsWith('Z')) return undefined
  return { pid, started: match[2], command: match[3] ?? '' }
}

function pidsInProc(setting: string): readonly number[] {
  const holds = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(setting)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && holds(name))
    .map(Number)
}

/** Reads the environment that BSD's and Linux's `ps` print after each command. */
function pidsWithPs(setting: string): readonly number[] {
  const { stdout } = spawnSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 1 << 26 })
  const lines = (stdout ?? '').split('\n').filter((line) => line.split(' ').includes(setting))
  return lines.map((line) => Number.parseInt(line, 10))
}
