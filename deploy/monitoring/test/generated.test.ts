import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { alertsPage } from '../src/alerts-page.ts'
import { dashboardFiles } from '../src/dashboards/frame.ts'
import { DASHBOARDS } from '../src/dashboards/index.ts'
import { dashboardsPage } from '../src/dashboards/page.ts'
import { metricsPage } from '../src/metrics-page.ts'
import { OWN_WINDOW } from '../src/panels-walk/asked.ts'
import { chartRules, plainRules } from '../src/rule-files.ts'
import { alerts } from '../src/rules.ts'
import { SCOPE } from '../src/scope.ts'
import { objectivesPage } from '../src/slo/page.ts'

const ROOT = join(import.meta.dirname, '../../..')

test.each([
  ['docs/alerts.md', alertsPage()],
  ['docs/metrics.md', metricsPage()],
  ['docs/dashboards.md', dashboardsPage()],
  ['docs/slo.md', objectivesPage()],
  ...dashboardFiles(),
  ['deploy/monitoring/rules/callboard.yaml', plainRules()],
  ['deploy/monitoring/chart/rules.yaml', chartRules()],
])('%s is up to date with its source', (file, text) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toBe(text)
})

interface Target {
  readonly expr: string
  readonly instant?: boolean
  readonly range: boolean
}

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly datasource?: { readonly uid: string }
  readonly targets?: readonly Target[]
  readonly fieldConfig?: {
    readonly defaults: {
      readonly noValue: string
      readonly links?: readonly { readonly url: string }[]
      readonly custom?: { readonly spanNulls: boolean }
    }
  }
  readonly options?: { readonly reduceOptions: { readonly calcs: readonly string[] } }
}

interface Written {
  readonly uid: string
  readonly tags: readonly string[]
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string }[] }
  readonly links: readonly Record<string, unknown>[]
}

/** What two screens of 1080 lines show below Grafana's bars, in its units of height. */
const TWO_SCREENS = 48

test('there is exactly one file per dashboard, each with its own uid', () => {
  const folder = join(ROOT, 'deploy/monitoring/dashboards')
  expect(readdirSync(folder).sort()).toEqual(DASHBOARDS.map(({ name }) => `${name}.json`).sort())
  expect(new Set(dashboardFiles().map(([, text]) => (JSON.parse(text) as Written).uid)).size).toBe(DASHBOARDS.length)
})

describe.each(dashboardFiles().map(([file, text]) => [file, JSON.parse(text) as Written] as const))('%s', (_, one) => {
  const { panels, templating, links, tags } = one
  const targets = panels.flatMap((panel) => panel.targets ?? [])

  test('has only panel types that need no plugin, each with its own id', () => {
    for (const { type } of panels) expect(['row', 'stat', 'timeseries']).toContain(type)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })

  test('queries the Prometheus that its variable selects', () => {
    expect(templating.list.map(({ name }) => name)).toEqual([
      ...['datasource', 'traces', 'logs'],
      ...['cluster', 'namespace', 'release'],
    ])
    const asked = panels.flatMap(({ datasource }) => (datasource ? [datasource.uid] : []))
    expect(new Set(asked)).toEqual(new Set(['$datasource']))
  })

  test('shows current values only: a line ends with its process, and missing data is shown as missing', () => {
    for (const { type, targets = [], fieldConfig, options } of panels.filter(({ type }) => type !== 'row')) {
      expect(fieldConfig?.defaults.noValue).toBe('no data')
      if (type === 'stat') {
        expect(targets.every(({ instant, range }) => instant && !range)).toBe(true)
        expect(options?.reduceOptions.calcs).toEqual(['last'])
      } else expect(fieldConfig?.defaults.custom?.spanNulls).toBe(false)
    }
  })

  test('limits every query to the selected cluster, namespace and release', () => {
    for (const { expr } of targets) for (const label of SCOPE) expect(expr).toContain(`${label}=~"$${label}"`)
  })

  test('has no overlapping panels, and none beyond the 24 columns or the second screen', () => {
    const taken = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`),
    )
    expect(new Set(taken).size).toBe(taken.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
    expect(Math.max(...panels.map(({ gridPos: { y, h } }) => y + h))).toBeLessThanOrEqual(TWO_SCREENS)
  })

  test('links to the other dashboards with the selection kept, and to traces and logs', () => {
    expect(tags).toContain('callboard')
    expect(links[0]).toMatchObject({ type: 'dashboards', tags: ['callboard'], includeVars: true, keepTime: true })
    const urls = [...links.slice(1).map(({ url }) => String(url)), ...panels.flatMap((panel) => urlsOf(panel))]
    for (const url of urls) {
      const panes = JSON.parse(new URL(url, 'http://grafana.test').searchParams.get('panes') ?? '') as Panes
      expect(['$' + '{traces}', '$' + '{logs}']).toContain(panes.a.datasource)
      expect(panes.a.range).toEqual({ from: '$' + '{__from}', to: '$' + '{__to}' })
    }
  })
})

interface Panes {
  readonly a: { readonly datasource: string; readonly range: object }
}

const urlsOf = ({ fieldConfig }: Panel) => (fieldConfig?.defaults.links ?? []).map(({ url }) => url)

test('lines by operation link to the traces and logs of their operation', () => {
  const byOperation = dashboardFiles()
    .flatMap(([, text]) => (JSON.parse(text) as Written).panels)
    .filter(({ title }) => title === 'Requests by operation')
  expect(byOperation.flatMap(urlsOf).filter((url) => url.includes('$' + '{__field.labels.operation}'))).toHaveLength(2)
})

test('every panel has a sentence on what it shows, a unit, and an existing alert if it names one', () => {
  const known = new Set(alerts().map(({ alert }) => alert))
  for (const { description, unit, alert } of DASHBOARDS.flatMap(({ rows }) => rows).flatMap(({ panels }) => panels)) {
    expect(description).toMatch(/^[A-Z].+\.$/)
    expect(unit).not.toBe('')
    if (alert) expect(known).toContain(alert)
  }
})

test('a panel with a window of its own states that window', () => {
  const windows = DASHBOARDS.flatMap(({ rows }) => rows)
    .flatMap(({ panels }) => panels)
    .filter(({ queries }) => queries.some(({ expr }) => OWN_WINDOW.test(expr)))
  expect(windows.length).toBeGreaterThan(0)
  for (const { title, description } of windows) expect(`${title}: ${description}`).toMatch(/\d h:|hour|minutes/)
})
