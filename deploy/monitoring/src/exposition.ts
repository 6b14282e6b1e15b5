import type { Selector } from './selectors.ts'

/** One line of a `/metrics` answer. */
export interface Sample {
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
}

/** The samples of Prometheus's text format. */
export const samplesOf = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, metric = '', labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value])
      return { metric, labels: Object.fromEntries(pairs) as Record<string, string> }
    })

/** Whether Prometheus would select the sample. */
export const picks = ({ metric, matchers }: Selector, sample: Sample): boolean =>
  sample.metric === metric &&
  matchers.every(({ label, op, value }) => {
    const has = sample.labels[label] ?? ''
    if (op === '=') return has === value
    if (op === '!=') return has !== value
    const matches = new RegExp(`^(?:${value})$`).test(has)
    return op === '=~' ? matches : !matches
  })
