import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../generated-files.ts'
import { openSandbox } from './sandbox.ts'

/** Above the highest that Linux gives. */
const NEVER_A_PID = 2 ** 22 + 1

test('a run leaves the sandbox of another one alone, and removes what a killed one left', () => {
  const of = (pid: number) => join(ROOT, '.cache/mutate', String(pid))
  const [another, killed] = [of(process.ppid), of(NEVER_A_PID)]
  for (const folder of [another, killed]) mkdirSync(folder, { recursive: true })
  const own = openSandbox(['package.json'])
  onTestFinished(() => {
    for (const folder of [another, own]) rmSync(folder, { recursive: true, force: true })
  })
  expect(own).toBe(of(process.pid))
  expect([another, killed, join(own, 'package.json')].map((path) => existsSync(path))).toEqual([true, false, true])
})
