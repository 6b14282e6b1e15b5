import { type Comparison, type Findings, isMet, ratioOf, type Table } from './figure.ts'

/** A figure as it is kept in `bench/results/<name>.json`. */
export interface Result extends Findings {
  readonly name: string
  readonly title: string
  readonly method: string
  /** The day it was measured, `YYYY-MM-DD`. */
  readonly date: string
  readonly machine: string
  readonly node: string
}

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3).replace(/\.?0+$/, '')

function target({ target, unit, better }: Comparison): string {
  if (target === undefined) return ''
  if ('ratio' in target) return `≥ ${number(target.ratio)} ×`
  return `${better === 'more' ? '≥' : '≤'} ${number(target.value)} ${unit}`
}

function row(comparison: Comparison): string {
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
  ]
  return `| ${cells.join(' | ')} |`
}

const comparisons = (all: readonly Comparison[]): string[] =>
  all.length === 0
    ? []
    : ['| what | ours | peer | ratio | target | |', '| --- | --- | --- | --- | --- | --- |', ...all.map(row), '']

const table = ({ title, columns, rows }: Table): string[] => [
  `| ${[title, ...columns].join(' | ')} |`,
  `| ${['---', ...columns.map(() => '---')].join(' | ')} |`,
  ...rows.map(([what, ...values]) => `| ${[what, ...values.map(number)].join(' | ')} |`),
  '',
]

function section(result: Result): string {
  const versions = Object.entries(result.versions ?? {}).map(([name, version]) => `${name} ${version}`)
  return [
    `## ${result.title}`,
    '',
    result.method,
    '',
    ...comparisons(result.comparisons),
    ...(result.tables ?? []).flatMap(table),
    ...(result.notes ?? []).map((note) => `- ${note}`),
    ...(result.notes?.length ? [''] : []),
    `Measured ${result.date} on ${result.machine}, Node ${result.node}${versions.length ? `; ${versions.join(', ')}` : ''}. \`npm run bench -- ${result.name}\``,
    '',
  ].join('\n')
}

/** bench/results.md: every kept result, in the order given. */
export const page = (results: readonly Result[]): string =>
  [
    '# Figures',
    '',
    'Each figure is measured by a program under `bench/src/figures`, beside a peer on the same machine in the same run.',
    'A ratio says how many times better than the peer ours is, so 1 is the same and below 1 is worse. The machine is shared',
    'and noisy: read ratios, not single values. This page is written by `npm run bench` from `bench/results/*.json`.',
    '',
    ...results.map(section),
  ].join('\n')
