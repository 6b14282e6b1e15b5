import type { Reporter, TestModule } from 'vitest/node'
import { notedParts } from './parts-note.ts'
import { hasSecondPostgres } from './servers/postgres.ts'

/** Says at the end of a run what ran on which servers, what could not run and why, and the sum. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const broken = modules.filter((module) => module.errors().length > 0).length
    const count = (state: string) => results.filter((result) => result === state).length
    console.log('\nServers of this run')
    console.log('  postgres  PostgreSQL 18 from npm')
    for (const { part, found, how } of notedParts()) {
      const name = part === 'postgres' ? 'postgres (second version)' : part
      console.log(`  ${name.padEnd(9)} ${found ? how : `could not run: ${how}`}`)
    }
    if (!hasSecondPostgres()) {
      console.log(
        '  postgres (second version) could not run: none on the PATH, in .cache/servers or in TEST_POSTGRES_URL',
      )
    }
    if (count('skipped') > 0) console.log(`  ${count('skipped')} skipped`)
    console.log(`${count('passed')} passed, ${count('failed') + broken + errors.length} failed`)
  }
}
