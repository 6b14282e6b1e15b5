/**
 * Waits until its standard input closes, which means that the process at the other end is gone, and then ends every
 * process of the run that its argument names. Each line that it reads is a folder to remove after that, with the disks
 * that are mounted in it.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { processesWith, type Sighting } from './process-table.ts'
import { RUN } from './watchdog.ts'

const STOP_WITHIN_MS = 10_000

const send = ({ pid }: Sighting, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended, or belongs to a user whose processes we may not end.
  }
}

async function endAll(setting: string): Promise<void> {
  const deadline = Date.now() + STOP_WITHIN_MS
  const asked = new Set<number>()
  // Repeats, because a process may have started another just before it ended.
  for (let left = processesWith(setting); left.length > 0; left = processesWith(setting)) {
    const isLate = Date.now() > deadline
    if (isLate && Date.now() > deadline + STOP_WITHIN_MS) return
    for (const seen of left) {
      if (isLate) send(seen, 'SIGKILL')
      else if (!asked.has(seen.pid)) {
        send(seen, 'SIGTERM')
        // A process paused by a test takes its signal only once it continues.
        send(seen, 'SIGCONT')
        asked.add(seen.pid)
      }
    }
    await delay(50)
  }
}

function unmountIn(folder: string): void {
  if (process.platform !== 'linux') return
  const mounted = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  for (const line of mounted) {
    const [, path = ''] = line.split(' ')
    if (path.startsWith(`${folder}/`)) spawnSync('umount', ['-l', path])
  }
}

const folders: string[] = []
for await (const folder of createInterface({ input: process.stdin })) folders.push(folder)
await endAll(`${RUN}=${process.argv[2]}`)
for (const folder of folders) {
  unmountIn(folder)
  rmSync(folder, { recursive: true, force: true })
}
