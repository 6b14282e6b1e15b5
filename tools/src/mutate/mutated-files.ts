import { isTest, workspaceOf, workspacesOf } from '../source-files.ts'

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

/** Those of a selection, by workspace. A word selects the files whose paths begin with it; no word selects all. */
export function selected(paths: readonly string[], words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const workspaces = workspacesOf(paths)
  const files = mutatedFiles(paths).filter((path) => words.length === 0 || words.some((word) => path.startsWith(word)))
  return Map.groupBy(files, (path) => workspaceOf(path, workspaces) ?? '.')
}
