import { type Comparison, type Findings, isMet, ratioOf, type Table } from './figure.ts'

/** A figure as stored in `bench/results/<name>.json`. */
export interface Result extends Findings {
  readonly name: string
  readonly title: string
  readonly method: string
  /** The day it was measured, `YYYY-MM-DD`. */
  readonly date: string
  readonly machine: string
  readonly node: string
  /** The last results on another machine. */
  readonly elsewhere?: Elsewhere
}

export type Elsewhere = Pick<Result, 'date' | 'machine' | 'comparisons'>

/** The result to store: the last results of another machine are kept with it. */
export function keeping(result: Result, before: Result | undefined): Result {
  if (!before) return result
  const { date, machine, comparisons } = before
  const elsewhere = machine === result.machine ? before.elsewhere : { date, machine, comparisons }
  return elsewhere ? { ...result, elsewhere } : result
}

/** Three significant digits, with thousands separators. */
export const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3).replace(/\.?0+$/, '')

function target({ target, unit, better }: Comparison): string {
  if (target === undefined) return ''
  if ('ratio' in target) return `≥ ${number(target.ratio)} ×`
  return `${better === 'more' ? '≥' : '≤'} ${number(target.value)} ${unit}`
}

/** The same quantity on the other machine. */
function foundElsewhere({ what, unit }: Comparison, { comparisons }: Elsewhere): string {
  const other = comparisons.find((comparison) => comparison.what === what)
  if (!other) return ''
  const ratio = ratioOf(other)
  return `${number(other.ours)} ${unit}${ratio === undefined ? '' : `, ${number(ratio)} ×`}`
}

function row(comparison: Comparison, elsewhere: Elsewhere | undefined): string {
  const { what, unit, ours, peer } = comparison
  const ratio = ratioOf(comparison)
  const met = isMet(comparison)
  const cells = [
    what,
    `${number(ours)} ${unit}`,
    peer ? `${number(peer.value)} ${unit} (${peer.name})` : '',
    ratio === undefined ? '' : `**${number(ratio)} ×**`,
    target(comparison),
    met === undefined ? '' : met ? 'met' : 'missed',
    ...(elsewhere ? [foundElsewhere(comparison, elsewhere)] : []),
  ]
  return `| ${cells.join(' | ')} |`
}

function comparisons(all: readonly Comparison[], elsewhere: Elsewhere | undefined): string[] {
  if (all.length === 0) return []
  const head = ['what', 'ours', 'peer', 'ratio', 'target', '']
  if (elsewhere) head.push(`${elsewhere.machine}, ${elsewhere.date}`)
  return [
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...all.map((one) => row(one, elsewhere)),
    '',
  ]
}

const table = ({ title, columns, rows }: Table): string[] => [
  `| ${[title, ...columns].join(' | ')} |`,
  `| ${['---', ...columns.map(() => '---')].join(' | ')} |`,
  ...rows.map(
    ([what, ...values]) =>
      `| ${[what, ...values.map((value) => (value === null ? '–' : number(value)))].join(' | ')} |`,
  ),
  '',
]

function section(result: Result): string {
  const versions = Object.entries(result.versions ?? {}).map(([name, version]) => `${name} ${version}`)
  return [
    `## ${result.title}`,
    '',
    result.method,
    '',
    ...comparisons(result.comparisons, result.elsewhere),
    ...(result.tables ?? []).flatMap(table),
    ...(result.notes ?? []).map((note) => `- ${note}`),
    ...(result.notes?.length ? [''] : []),
    `Measured ${result.date} on ${result.machine}, Node ${result.node}${versions.length ? `; ${versions.join(', ')}` : ''}. \`npm run bench -- ${result.name}\``,
    '',
  ].join('\n')
}

/**
 * bench/results.md: every stored result, in the given order.
 * @param ahead text before them
 */
export const page = (results: readonly Result[], ahead: readonly string[] = []): string =>
  [
    '# Figures',
    '',
    'A program under `bench/src/figures` measures each figure together with a peer, on the same machine in the same run. A ratio says',
    'how many times better ours is than the peer: 1 is the same, below 1 is worse. The machine is shared and noisy, so read ratios, not',
    'single values. If another machine has measured the figure too, the last column shows its result. `npm run bench` generates this page',
    'from `bench/results/*.json`.',
    '',
    ...ahead,
    ...results.map(section),
  ].join('\n')
