import { stringify } from 'yaml'
import { type Alert, GROUPS, type Group, type Parameter, type Recording } from './alerts/index.ts'
import { fileNameOf } from './rules.ts'
import { scoped } from './scope.ts'

/** The placeholder in the chart's file for the release's matchers. */
const CHART_SCOPE = '%{scope}'

const HEAD = `# The alerts of Callboard. \`critical\` wakes the person on call, \`warning\` waits for working hours. Each has its page in
# docs/runbooks and its unit test in deploy/monitoring/tests. Made by npm run monitoring:gen from deploy/monitoring/src/alerts.
`
const CHART_HEAD = `# The alerts of Callboard with %{name} for each parameter, which the chart fills in. Made by npm run monitoring:gen.
`

interface Written {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

const ruleOf = ({ name, severity, service, expr, summary, description }: Alert, matchers: string): Written => ({
  alert: name,
  expr: scoped(expr, matchers),
  for: '%{for}',
  labels: { severity: matchers === '' ? severity : '%{severity}', ...(service ? { service } : {}) },
  annotations: { summary, description, runbook: `docs/runbooks/${fileNameOf(name)}.md` },
})

const asYaml = (head: string, value: object) => head + stringify(value, { lineWidth: 0, singleQuote: true })

const recordOf = ({ record, labels, expr }: Recording, matchers: string) => ({
  record,
  expr: scoped(expr, matchers),
  ...(Object.keys(labels).length === 0 ? {} : { labels }),
})

/** A PromQL duration, or a number of seconds, divided by `times`. */
export function shortened(name: string, value: Parameter, times: number): Parameter {
  if (times === 1) return value
  if (typeof value === 'number') return name.endsWith('Seconds') ? value / times : value
  const [, count, unit] = /^(\d+)([smhd])$/.exec(value) ?? []
  if (!count || !unit) return value
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? 1)
  return `${Math.round((seconds * 1_000) / times)}ms`
}

/** Text with its parameters filled in. @throws Error for a missing one */
const filled = (text: string, parameters: Alert['parameters'], times: number): string =>
  text.replaceAll(/%\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new Error(`There is no parameter ${name}`)
    return String(shortened(name, value, times))
  })

/**
 * rules/callboard.yaml: the rules for Prometheus itself, with the defaults.
 * @param times the factor by which every window is shortened, to walk through the alerts faster
 */
export function plainRules(times = 1): string {
  const alertOf = (one: Alert) => {
    const { for: wait, ...rule } = ruleOf(one, '')
    const lasts = filled(wait ?? '0s', one.parameters, times)
    const expr = filled(rule.expr, one.parameters, times)
    return { alert: rule.alert, expr, ...(/^0m?s$/.test(lasts) ? {} : { for: lasts }), ...rest(rule) }
  }
  const seriesOf = (one: Recording) => {
    const { expr, ...record } = recordOf(one, '')
    return { ...record, expr: filled(expr, one.parameters, times) }
  }
  const groups = GROUPS.map(({ name, interval, alerts, records = [] }) => ({
    name,
    ...(interval ? { interval: String(shortened('interval', interval, times)) } : {}),
    rules: [...records.map(seriesOf), ...alerts.map(alertOf)],
  }))
  return asYaml(HEAD, { groups })
}

const rest = ({ labels, annotations }: Omit<Written, 'for'>) => ({ labels, annotations })

/** chart/rules.yaml: the same for the chart, which fills in its values; each rule includes its defaults. */
export function chartRules(): string {
  const alertOf = (one: Alert) => ({
    defaults: { enabled: true, severity: one.severity, ...one.parameters },
    rule: ruleOf(one, CHART_SCOPE),
  })
  const groups = GROUPS.map(({ name, interval, alerts, records = [] }: Group) => ({
    name,
    ...(interval ? { interval } : {}),
    rules: [...records.map(seriesOf), ...alerts.map(alertOf)],
  }))
  return asYaml(CHART_HEAD, { groups })
}

/** A recording is always on, even without the alert whose parameters it shares: the dashboards show it. */
const seriesOf = ({ parameters, parametersOf, ...one }: Recording) => ({
  defaults: { ...parameters },
  ...(parametersOf ? { parametersOf } : {}),
  rule: recordOf({ parameters, ...one }, CHART_SCOPE),
})
