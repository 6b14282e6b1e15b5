import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../src/generated-files.ts'

const MAIN = join(ROOT, 'tools/src/mutate/main.ts')

/** Runs the script as npm does, without npm. */
const mutate = (...given: readonly string[]) =>
  new Promise<{ status: number; stdout: string }>((resolve) => {
    execFile(process.execPath, [MAIN, ...given], { cwd: ROOT, timeout: 100_000 }, (error, stdout) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, stdout }),
    )
  })

describe('npm run mutate', () => {
  test('reports the mutants that unit tests notice, and leaves the file unchanged', { timeout: 120_000 }, async () => {
    const file = 'libs/values/src/time.ts'
    const status = () => execFileSync('git', ['status', '--short', '--', file], { cwd: ROOT, encoding: 'utf8' })
    const before = status()
    const { status: code, stdout } = await mutate(file)
    expect(stdout).toMatch(/^ 100 % {2}(\d+) of \1(?: \(\d+ by time\))? {2}libs\/values\/src\/time\.ts$/m)
    expect(stdout).toMatch(/^\d+ of \d+ mutants noticed \(100\.0 %\), \d+ of them by time, 0 of 1 files below 85 %$/m)
    expect(code).toBe(0)
    expect(status()).toBe(before)
  })

  test('selects nothing for a file that is not mutated', async () => {
    const { status, stdout } = await mutate('README.md')
    expect([status, stdout]).toEqual([
      0,
      '0 of 0 mutants noticed (100.0 %), 0 of them by time, 0 of 0 files below 85 %\n',
    ])
  })
})
