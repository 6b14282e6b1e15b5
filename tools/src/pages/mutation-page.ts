import type { KeptScore } from '../mutate/kept-scores.ts'
import { DEMANDED, isEnough, percentOf } from '../mutate/score.ts'

/** The stored scores, by file. */
type Scores = Readonly<Record<string, KeptScore>>

const line = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
const rule = (columns: number) => line(...Array<string>(columns).fill('---'))

/** The total of several files. */
function sumOf(scores: readonly KeptScore[]) {
  const sum = (field: 'killed' | 'timedOut' | 'all') => scores.reduce((total, score) => total + score[field], 0)
  const lowest = Math.min(...scores.map(percentOf))
  return { files: scores.length, killed: sum('killed'), timedOut: sum('timedOut'), all: sum('all'), lowest }
}

const daysOf = (scores: readonly KeptScore[]): string => [...new Set(scores.map(({ date }) => date))].sort().join(', ')

function workspaceRow(name: string, scores: readonly KeptScore[]): string {
  const { files, all, killed, timedOut, lowest } = sumOf(scores)
  const days = daysOf(scores)
  return line(name, files, all, killed, timedOut, percentOf({ killed, all }).toFixed(1), lowest.toFixed(0), days)
}

/** docs/mutation.md. @param files all that should be measured */
export function mutationPage(files: readonly string[], scores: Scores): string {
  const measured = files.flatMap((file) => (scores[file] ? [{ file, ...scores[file] }] : []))
  const missing = files.filter((file) => !scores[file])
  const workspaces = Map.groupBy(measured, ({ file }) => file.split('/src/')[0] as string)
  return `# Mutation tests

A mutant is a rule with one thing changed: a sign, a bound, a condition, a word. \`npm run mutate\` makes every mutant that Stryker
knows of every \`domain/\`, of \`libs/x402\` and of \`libs/values\`, and runs the unit tests that import the file against each, without
a server. A mutant that no test notices is a rule that could be wrong unseen, or one that means the same.
A file passes with ${DEMANDED} % noticed. Sentences are left out: that a message says this and not that is for its reader to judge.
A mutant that ran out of time counts as noticed, and is counted apart. \`npm run mutate -- PATH --survivors\` shows the unnoticed ones.

\`npm run gen\` writes this page from \`tools/src/mutate/scores.json\`, which \`npm run mutate -- --write\` keeps. A score is of its day:
the file or its tests may have changed since.

${line('workspace', 'files', 'mutants', 'noticed', 'of them by time', '%', 'lowest file, %', 'measured on')}
${rule(8)}
${[...workspaces].map(([workspace, ofWorkspace]) => `${workspaceRow(workspace, ofWorkspace)}\n`).join('')}${workspaceRow('all', measured)}

${missing.length === 0 ? 'A score is kept of every file.' : `No score is kept yet of:\n\n${missing.map((file) => `- \`${file}\``).join('\n')}`}

## By file

${line('file', 'mutants', 'noticed', 'of them by time', '%', 'measured on')}
${rule(6)}
${measured.map((one) => line(`\`${one.file}\``, one.all, one.killed, one.timedOut, percentOf(one).toFixed(0), one.date)).join('\n')}
`
}

/** The README's sentence about it. @param files all that should be measured */
export function mutationSentence(files: readonly string[], scores: Scores): string {
  const measured = files.flatMap((file) => (scores[file] ? [{ file, ...scores[file] }] : []))
  const { killed, all } = sumOf(measured)
  const low = measured.filter((score) => !isEnough(score)).length
  const [lowest] = measured.toSorted((one, other) => percentOf(one) - percentOf(other))
  const days = daysOf(measured)
  return `\`npm run mutate\` changes the rules of every \`domain/\`, \`libs/x402\` and \`libs/values\` one by one. The unit tests, without a
server, noticed ${killed} of ${all} changes (${percentOf({ killed, all }).toFixed(1)} %) in ${measured.length} of ${files.length} files, measured on ${days}:
${low === 0 ? 'none' : low} below ${DEMANDED} %, and the lowest is \`${lowest?.file}\` with ${lowest ? percentOf(lowest).toFixed(0) : '–'} %.
Each file stands in [docs/mutation.md](docs/mutation.md).`
}
