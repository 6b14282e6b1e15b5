import type { Reporter, TestModule } from 'vitest/node'
import type { PartSummary } from '../servers/index.ts'
import { hasSecondPostgres } from '../servers/postgres.ts'
import { notedParts } from './parts-note.ts'

const NAMES: Readonly<Record<PartSummary['part'], string>> = {
  'embedded postgres': 'postgres',
  nats: 'nats',
  redis: 'redis',
  postgres: 'postgres (second version)',
}

/** Reports at the end of a run which servers it used, what could not run and why, and the totals. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const broken = modules.filter((module) => module.errors().length > 0).length
    const count = (state: string) => results.filter((result) => result === state).length
    const parts = notedParts()
    console.log(`\nServers of this run${parts.length === 0 ? ': none, for no test asked for one' : ''}`)
    for (const { part, found, how } of parts) {
      console.log(`  ${NAMES[part].padEnd(9)} ${found ? how : `could not run: ${how}`}`)
    }
    if (parts.some(({ part }) => part === 'embedded postgres') && !hasSecondPostgres()) {
      console.log(
        '  postgres (second version) could not run: none on the PATH, in .cache/servers or in TEST_POSTGRES_URL',
      )
    }
    if (count('skipped') > 0) console.log(`  ${count('skipped')} skipped`)
    console.log(`${count('passed')} passed, ${count('failed') + broken + errors.length} failed`)
  }
}
