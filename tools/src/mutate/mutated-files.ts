import { type ImportGraph, isTest } from '../source-files.ts'

/** Libraries in which every file makes decisions: money, payments and their keys. */
const JUDGING = ['libs/values/src/', 'libs/x402/src/']

/** Barrels and generated files contain no rules. */
const HOLDS_RULES = /^(?!.*(?:\/index|\.generated)\.ts$).*\.ts$/

/** The files for mutation testing: every `domain/`, and the libraries in which every file makes decisions. */
export const mutatedFiles = (paths: readonly string[]): readonly string[] =>
  paths.filter(
    (path) =>
      HOLDS_RULES.test(path) &&
      !isTest(path) &&
      (path.includes('/src/domain/') || JUDGING.some((folder) => path.startsWith(folder))),
  )

/** The files of a selection. A word selects the files whose paths begin with it; no word selects all. */
export const selected = (paths: readonly string[], words: readonly string[]): readonly string[] =>
  mutatedFiles(paths).filter((path) => words.length === 0 || words.some((word) => path.startsWith(word)))

/**
 * The unit tests of a file: those of its workspace that import it or, without any, all of them. Each mutant of a
 * constant loads them anew, so tests of other files would cost more than anything else.
 */
export function testsOf(file: string, graph: ImportGraph): readonly string[] {
  const [workspace] = file.split('/src/')
  const tests = [...graph.keys()].filter((path) => isTest(path) && path.startsWith(`${workspace}/src/`))
  const own = tests.filter((test) => graph.get(test)?.includes(file))
  return own.length > 0 ? own : tests
}
