import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Figure } from '../figure.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RUNS = 3

/** Runs `npm start` until it says that it is ready. @returns seconds from the command to that message */
async function startOnce(folder: string): Promise<number> {
  const { BASE_URL: _, ...env } = process.env
  const startedAt = performance.now()
  const child = spawn('npm', ['start', '--', '--no-demo'], {
    cwd: ROOT,
    env: { ...env, PORT: String(await freePort()), CALLBOARD_DATA: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const gone = once(child, 'exit')
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (/^Ready after/m.test(said)) break
  }
  const seconds = (performance.now() - startedAt) / 1_000
  if (child.pid) process.kill(-child.pid, 'SIGTERM')
  await gone
  return seconds
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

export const figure: Figure = {
  title: '`npm start` to ready',
  method:
    'The time from the command to the line that says that the instance is ready, npm included; the median of three. The first start is on an empty data folder, so it creates a Postgres cluster and deploys the contracts. The second start uses the data folder that the first one left.',
  async run() {
    const first: number[] = []
    const again: number[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const folder = temporaryFolder('callboard-bench-')
      first.push(await startOnce(folder))
      again.push(await startOnce(folder))
      rmSync(folder, { recursive: true, force: true })
    }
    const target = { value: 10 }
    return {
      comparisons: [
        { what: 'first start', unit: 's', better: 'less', ours: middle(first), target },
        { what: 'second start', unit: 's', better: 'less', ours: middle(again), target },
      ],
    }
  },
}
