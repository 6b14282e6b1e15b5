import { type ImportGraph, isTest } from '../source-files.ts'

/** Libraries whose every file judges: money, payments and their keys. */
const JUDGING = ['libs/values/src/', 'libs/x402/src/']

/** Barrels and generated files hold no rule. */
const HOLDS_RULES = /^(?!.*(?:\/index|\.generated)\.ts$).*\.ts$/

/** The files that mutation testing is about: every `domain/`, and the libraries whose every file judges. */
export const mutatedFiles = (paths: readonly string[]): readonly string[] =>
  paths.filter(
    (path) =>
      HOLDS_RULES.test(path) &&
      !isTest(path) &&
      (path.includes('/src/domain/') || JUDGING.some((folder) => path.startsWith(folder))),
  )

/** Those of a selection. A word selects the files whose paths begin with it; no word selects all. */
export const selected = (paths: readonly string[], words: readonly string[]): readonly string[] =>
  mutatedFiles(paths).filter((path) => words.length === 0 || words.some((word) => path.startsWith(word)))

/**
 * The unit tests of a file: those of its workspace that import it, or where none does, all of them. Each mutant of a constant
 * loads them anew, so that those of other files would cost more than all else.
 */
export function testsOf(file: string, graph: ImportGraph): readonly string[] {
  const [workspace] = file.split('/src/')
  const tests = [...graph.keys()].filter((path) => isTest(path) && path.startsWith(`${workspace}/src/`))
  const own = tests.filter((test) => graph.get(test)?.includes(file))
  return own.length > 0 ? own : tests
}
