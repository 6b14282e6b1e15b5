import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'
import { readTarget, SETTINGS } from './environment.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USAGE = 'usage: npm run conformance -- http://host:port [devnet.json]'

/**
 * `npm run conformance`: the suite against an instance that runs somewhere. With its `devnet.json` also the tests that
 * move money, on that chain only. @returns the exit code: 0 when nothing failed
 */
async function main([baseUrl, devnetFile, ...more]: readonly string[]): Promise<number> {
  if (!baseUrl || more.length > 0) {
    console.error(USAGE)
    return 2
  }
  process.env[SETTINGS.baseUrl] = baseUrl
  process.env[SETTINGS.devnetFile] = devnetFile ? resolve(devnetFile) : ''
  readTarget(process.env)
  const vitest = await startVitest('test', [], { root: ROOT, config: resolve(ROOT, 'vitest.config.ts'), watch: false })
  const modules = vitest.state.getTestModules()
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const isWhole = tests.length > 0 && modules.every((module) => module.ok())
  await vitest.close()
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  const why = devnetFile ? '' : ' (give the instance’s devnet.json to run those that move money)'
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped${why}` : ''
  console.log(`Conformance of ${baseUrl}: ${count('passed')} passed, ${count('failed')} failed${skipped}.`)
  if (!isWhole && count('failed') === 0) console.log('The suite itself could not be set up; see above.')
  return isWhole ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
