import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, beforeAll, test } from 'vitest'

const MAIN = join(import.meta.dirname, '../src/main.ts')
let folder: string

beforeAll(() => {
  folder = temporaryFolder('callboard-bench-test-')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The servers whose data are in our folder. */
function servers(): string[] {
  const commands = readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
    } catch {
      return []
    }
  })
  return commands.filter((command) => command.includes(folder))
}

test('a killed benchmark leaves no server and no folder behind', async () => {
  const figure = spawn(process.execPath, [MAIN, '--measure', 'start'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  })
  await until('it has started servers', () => servers().some((command) => command.includes('postgres')))
  figure.kill('SIGKILL')
  await once(figure, 'exit')
  await until('they are gone', () => servers().length === 0)
  await until('their folders are gone', () => readdirSync(folder).length === 0)
}, 60_000)
