import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestCase } from 'vitest/node'
import { type Given, readCommandLine } from './command/command-line.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * `npm run conformance`: runs the suite, or the tests named, against a running instance. With its `devnet.json` it also
 * runs the tests that move money, on that chain only. @returns the exit code: 0 when nothing failed
 */
async function main(words: readonly string[]): Promise<number> {
  const given = readCommandLine(words)
  if (typeof given === 'number') return given
  // The suite is imported only now, so that command-line errors are reported at once.
  const [{ startVitest }, { readTarget, SETTINGS }, { partOfName }] = await Promise.all([
    import('vitest/node'),
    import('./command/environment.ts'),
    import('./command/part-of-name.ts'),
  ])
  const { baseUrl, devnetFile } = given
  const only = partOfName(given.only)
  process.env[SETTINGS.baseUrl] = baseUrl
  process.env[SETTINGS.devnetFile] = devnetFile ? resolve(devnetFile) : ''
  readTarget(process.env)
  const vitest = await startVitest('test', [], {
    root: ROOT,
    config: resolve(ROOT, 'vitest.config.ts'),
    watch: false,
    ...(only ? { testNamePattern: only.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') } : {}),
  })
  const modules = vitest.state.getTestModules()
  const tests = modules
    .flatMap((module) => [...module.children.allTests()])
    .filter((test) => nameOf(test).includes(only))
  const isWhole = tests.length > 0 && modules.every((module) => module.ok())
  await vitest.close()
  return summarise({ ...given, only }, tests, isWhole)
}

/** The name that vitest matches against a pattern: the names of the groups, then the test's own. */
const nameOf = ({ fullName }: TestCase): string => fullName.replaceAll(' > ', ' ')

function summarise({ baseUrl, devnetFile, only }: Given, tests: readonly TestCase[], isWhole: boolean): 0 | 1 {
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  const why = devnetFile ? '' : ' (give the instance’s devnet.json to run those that move money)'
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped${why}` : ''
  console.log(`Conformance of ${baseUrl}: ${count('passed')} passed, ${count('failed')} failed${skipped}.`)
  if (only && tests.length === 0) console.log(`No test has “${only}” in its name.`)
  else if (!isWhole && count('failed') === 0) console.log('The suite itself could not be set up; see above.')
  return isWhole ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
