import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import type { ReportedFile } from './score.ts'

const require = createRequire(import.meta.url)
/** The package does not export its program's path. */
const STRYKER = join(dirname(require.resolve('@stryker-mutator/core/package.json')), 'bin/stryker.js')
const REPORT = 'reports/mutation.json'

/**
 * Mutates a file within a sandbox and runs unit tests against each mutant.
 * @param file by path from the root, as are the tests
 * @throws where Stryker cannot run, or the tests fail without a mutant
 */
export async function runStryker(sandbox: string, file: string, include: readonly string[]): Promise<ReportedFile> {
  const tests = { include, testTimeout: 30_000 }
  writeFileSync(join(sandbox, 'vitest.mutate.ts'), `export default { test: ${JSON.stringify(tests)} }\n`)
  const options = {
    mutate: [file],
    plugins: [require.resolve('@stryker-mutator/vitest-runner')],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutate.ts', related: false },
    // A copy within the copy would import the workspaces of the first one, which are not mutated.
    inPlace: true,
    coverageAnalysis: 'perTest',
    concurrency: availableParallelism(),
    // On a loaded machine a slow test must not pass for one that never ends.
    timeoutMS: 20_000,
    reporters: ['json'],
    jsonReporter: { fileName: REPORT },
    logLevel: 'error',
  }
  writeFileSync(join(sandbox, 'stryker.conf.json'), JSON.stringify(options))
  const child = spawn(process.execPath, [STRYKER, 'run', 'stryker.conf.json'], { cwd: sandbox, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`Stryker ended with ${code} for ${file}`)
  const report = JSON.parse(readFileSync(join(sandbox, REPORT), 'utf8')) as { files: Record<string, ReportedFile> }
  return report.files[file] ?? { source: '', mutants: [] }
}
