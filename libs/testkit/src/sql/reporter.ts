import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { SECOND_POSTGRES } from '../setup.ts'
import { ownStatements, type Sent } from './statements.ts'
import '../provided.ts'

/** Suites of our services and their store; those of other packages create their own tables. */
const OF_SERVICES = /^(libs\/store|services\/[^/]+)\/test\//

/**
 * Fails a whole run in which a suite that does not run on the second Postgres sends a statement that no suite there
 * sends: a difference in that version would go unnoticed.
 */
export default class StatementsReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const second = modules.filter(({ project }) => project.name === SECOND_POSTGRES)
    const [project] = second.map((module) => module.project)
    if (!project || modules.some((module) => !module.ok()) || project.config.testNamePattern) return
    const { testFiles } = await project.globTestFiles()
    if (second.length < testFiles.length) return
    const first = modules.filter((module) => !second.includes(module)).map(sent)
    const spared = first.filter(({ file }) => OF_SERVICES.test(file))
    for (const { file, statements } of ownStatements(spared, second.map(sent))) {
      console.error(`${file} sends what no suite on the second Postgres sends:`)
      for (const statement of statements) console.error(`  ${statement}`)
      process.exitCode = 1
    }
  }
}

const sent = (module: TestModule): Sent => ({
  file: relative(process.cwd(), module.moduleId),
  statements: module.meta().statements ?? [],
})
