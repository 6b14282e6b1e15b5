import { ALIKE_LINES } from './duplicates.ts'
import type { RequestFiles } from './files-per-request.ts'
import { LONGEST, WIDEST } from './measure-file.ts'
import type { Measured } from './measured.ts'
import type { WorkspaceMeasure } from './measures.ts'

const SPREAD = 'median/p90/max'
const HEAD = [
  'workspace',
  'files',
  'lines',
  SPREAD,
  'exports documented',
  `functions > ${LONGEST} lines`,
  `> ${WIDEST} parameters`,
  'tests : sources',
  'circles',
  'folders > 20',
]

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`)

/** The table's rows, without its header; the last one is the sum. */
export function rows(measured: readonly WorkspaceMeasure[]): readonly (readonly string[])[] {
  const sum = (field: Exclude<keyof WorkspaceMeasure, 'workspace'>) =>
    measured.reduce((all, one) => all + one[field], 0)
  const cells = (one: WorkspaceMeasure, spread: string) => [
    one.workspace,
    String(one.files),
    String(one.lines),
    spread,
    percent(one.documented, one.exports),
    String(one.longFunctions),
    String(one.wideFunctions),
    one.lines === 0 ? '–' : (one.testLines / one.lines).toFixed(2),
    String(one.circles),
    String(one.fullFolders),
  ]
  const whole: WorkspaceMeasure = {
    workspace: 'all',
    files: sum('files'),
    lines: sum('lines'),
    median: 0,
    p90: 0,
    longest: 0,
    exports: sum('exports'),
    documented: sum('documented'),
    longFunctions: sum('longFunctions'),
    wideFunctions: sum('wideFunctions'),
    testLines: sum('testLines'),
    circles: sum('circles'),
    fullFolders: sum('fullFolders'),
  }
  return [...measured.map((one) => cells(one, `${one.median}/${one.p90}/${one.longest}`)), cells(whole, '')]
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const drawn = (head: readonly string[], all: readonly (readonly string[])[]) => [
  line(head),
  line(head.map(() => '---')),
  ...all.map(line),
]

/** The sums of several trees, one row each. */
export function overTime(all: readonly Measured[]): readonly string[] {
  const sums = all.map(({ commit, day, workspaces, duplicates }) => {
    const [, ...cells] = rows(workspaces).at(-1) ?? []
    return [commit, day, ...cells.filter((_, at) => HEAD[at + 1] !== SPREAD), String(duplicates.length)]
  })
  return drawn(['commit', 'day', ...HEAD.slice(1).filter((name) => name !== SPREAD), 'duplicate pairs'], sums)
}

/** docs/measures.md. @param all the last one is today's */
export function page(all: readonly Measured[], requests: readonly RequestFiles[]): string {
  const { workspaces, day, duplicates } = all[all.length - 1] as Measured
  return [
    '# Measures',
    '',
    `What \`npm run measure\` counted of each workspace on ${day}, written by \`npm run measure -- --write\`. Sources are TypeScript`,
    'files that are no tests and were not generated; a circle is a set of files that import each other, also for types alone; an',
    'export is documented when a comment of its own stands before it.',
    '',
    ...drawn(HEAD, rows(workspaces)),
    '',
    '## Files of a request',
    '',
    'Files of ours of which a function ran between a request and its answer, on a warm instance in one process: the least of three',
    'looks, since jobs and consumers run beside them.',
    '',
    ...drawn(
      ['request', 'files'],
      requests.map(({ request, files }) => [`\`${request}\``, String(files)]),
    ),
    '',
    '## Duplicate pairs',
    '',
    `Sources that have ${ALIKE_LINES} lines in a row in common, imports and comments aside: ${duplicates.length}.`,
    '',
    ...duplicates.map(([one, other]) => `- \`${one}\` and \`${other}\``),
    ...(duplicates.length > 0 ? [''] : []),
    ...(all.length > 1 ? ['## Over time', '', ...overTime(all), ''] : []),
  ].join('\n')
}

/** The same for a terminal. */
export function table(measured: readonly WorkspaceMeasure[]): string {
  const all = [HEAD, ...rows(measured)]
  const widths = HEAD.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)))
  return all
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
