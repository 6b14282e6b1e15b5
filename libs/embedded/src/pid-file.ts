import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { endProcess, type Sighting, seeProcess, stillAlive } from './process-table.ts'
import { writeWhole } from './write-whole.ts'

export interface PidFileClaim {
  readonly file: string
  /** The name of what runs, for messages: "Postgres". */
  readonly what: string
  /** How to end a leftover process, and how long to wait before SIGKILL. */
  readonly stopSignal: NodeJS.Signals
  readonly stopWithinMs: number
  readonly log?: ((line: string) => void) | undefined
}

/** The right of this process to run one child on one folder, kept until `release`. */
export interface PidFile {
  /** Records the child, so that the next start finds it if we are killed. */
  childStarted(pid: number): void
  release(): void
}

interface Entry {
  readonly owner: Sighting
  readonly child?: Sighting
}

/**
 * Claims the pid file. A child left behind by a killed run is ended first: its pid, start time and command line must
 * all match the record, so no third party that got the same pid is ever signalled. Throws when a living process holds
 * the claim, since its child is in use.
 */
export async function claimPidFile(claim: PidFileClaim): Promise<PidFile> {
  const owner = seeProcess(process.pid) ?? { pid: process.pid, started: '', command: '' }
  mkdirSync(dirname(claim.file), { recursive: true })
  for (;;) {
    if (created(claim.file, { owner })) return held(claim.file, owner)
    const entry = read(claim.file)
    if (entry && stillAlive(entry.owner)) {
      throw new Error(
        `${claim.what} in ${dirname(claim.file)} belongs to process ${entry.owner.pid}, which is running: ` +
          'stop that process first, or choose another data folder.',
      )
    }
    if (entry?.child) await endLeftover(claim, entry.child)
    // Another process may have ended the same child meanwhile, and claimed the file.
    if (isDeepStrictEqual(read(claim.file), entry)) rmSync(claim.file, { force: true })
  }
}

async function endLeftover(claim: PidFileClaim, child: Sighting): Promise<void> {
  const now = seeProcess(child.pid)
  if (now === undefined || now.started !== child.started || now.command !== child.command) return
  claim.log?.(`ending ${claim.what} (process ${child.pid}), which an interrupted run left behind`)
  await endProcess(child, claim.stopSignal, claim.stopWithinMs)
}

const held = (file: string, owner: Sighting): PidFile => ({
  childStarted(pid) {
    const child = seeProcess(pid)
    if (!child) return
    writeWhole(file, text({ owner, child }))
  },
  release() {
    rmSync(file, { force: true })
  },
})

function created(file: string, entry: Entry): boolean {
  try {
    writeFileSync(file, text(entry), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

const text = (entry: Entry) => `${JSON.stringify(entry, null, 2)}\n`

/** The content of the file; undefined when it was cut short by a crash or has been removed. */
function read(file: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof entry !== 'object' || entry === null || !('owner' in entry) || !isSighting(entry.owner)) return undefined
    return 'child' in entry && isSighting(entry.child)
      ? { owner: entry.owner, child: entry.child }
      : { owner: entry.owner }
  } catch {
    return undefined
  }
}

const isSighting = (value: unknown): value is Sighting =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  typeof value.pid === 'number' &&
  'started' in value &&
  typeof value.started === 'string' &&
  'command' in value &&
  typeof value.command === 'string'
