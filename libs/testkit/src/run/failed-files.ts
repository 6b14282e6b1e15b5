import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Writes the failed files, one path per line, to the file named by `FAILED_FILES`; `.ci/run` runs each once more. */
export default class FailedFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env.FAILED_FILES
    // An error outside of every test belongs to no file, so nothing can be repeated.
    if (!file || errors.length > 0) return
    const failed = modules.filter((module) => !module.ok()).map((module) => relative(process.cwd(), module.moduleId))
    writeFileSync(file, [...new Set(failed)].map((path) => `${path}\n`).join(''))
  }
}
