import { commandLine } from '@callboard/runtime/command-line'
import { ROOT } from '../generated-files.ts'
import { changedSince, importGraph, trackedFiles } from '../source-files.ts'
import { keep } from './kept-scores.ts'
import { mutatedFiles, selected, testsOf } from './mutated-files.ts'
import { runStryker } from './run-stryker.ts'
import { openSandbox } from './sandbox.ts'
import { DEMANDED, isEnough, percentOf, type Score, scoreOf } from './score.ts'

const USAGE = `usage: npm run mutate [-- PATH … | --since REF] [--survivors] [--write] [--help]
  Changes every rule of every domain/, libs/x402 and libs/values in each way that Stryker knows, and runs the unit tests
  that import it against each change. A file passes if its tests notice ${DEMANDED} % of the changes, sentences aside.
  PATH         only files whose paths begin with PATH
  --since REF  only files that differ from that commit
  --survivors  shows the changes that no test noticed, also for files that pass
  --write      keeps the scores, for docs/mutation.md and the README's sentence: npm run gen`

const { values, positionals } = commandLine(process.argv.slice(2), {
  usage: USAGE,
  options: { since: { type: 'string' }, survivors: { type: 'boolean' }, write: { type: 'boolean' } },
  words: true,
})
const paths = trackedFiles()
const files = values.since === undefined ? selected(paths, positionals) : mutatedFiles(changedSince(values.since))
// If nothing is selected, nothing is read or copied.
const [graph, sandbox] = files.length > 0 ? [importGraph(paths), openSandbox(paths)] : [new Map(), ROOT]
const scores = new Map<string, Score>()
for (const file of files) {
  const score = scoreOf(await runStryker(sandbox, file, testsOf(file, graph)))
  scores.set(file, score)
  if (values.write) keep(file, score)
  const late = score.timedOut > 0 ? ` (${score.timedOut} by time)` : ''
  console.log(`${percentOf(score).toFixed(0).padStart(4)} %  ${score.killed} of ${score.all}${late}  ${file}`)
  if (isEnough(score) && !values.survivors) continue
  for (const { line, original, mutant } of score.survivors) {
    console.log(`        ${line}: ${brief(original)} → ${brief(mutant)}`)
  }
}
const sum = (field: 'killed' | 'timedOut' | 'all') =>
  [...scores.values()].reduce((total, score) => total + score[field], 0)
const total = { killed: sum('killed'), all: sum('all') }
const short = [...scores].filter(([, score]) => !isEnough(score))
console.log(
  `${total.killed} of ${total.all} mutants noticed (${percentOf(total).toFixed(1)} %), ${sum('timedOut')} of them by time, ${short.length} of ${scores.size} files below ${DEMANDED} %`,
)
if (short.length > 0) process.exitCode = 1

function brief(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}
