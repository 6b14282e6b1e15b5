import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { alertsPage } from '../src/alerts-page.ts'
import { dashboard, ROWS } from '../src/dashboard.ts'
import { metricsPage } from '../src/metrics-page.ts'
import { chartRules, plainRules } from '../src/rule-files.ts'
import { SCOPE } from '../src/scope.ts'

const ROOT = join(import.meta.dirname, '../../..')

test.each([
  ['docs/alerts.md', alertsPage()],
  ['docs/metrics.md', metricsPage()],
  ['deploy/monitoring/dashboards/callboard.json', dashboard()],
  ['deploy/monitoring/rules/callboard.yaml', plainRules()],
  ['deploy/monitoring/chart/rules.yaml', chartRules()],
])('%s is what its source makes now', (file, text) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toBe(text)
})

interface Stat {
  readonly type: string
  readonly targets: readonly { readonly expr: string; readonly instant?: boolean; readonly range: boolean }[]
  readonly fieldConfig: { readonly defaults: { readonly noValue: string } }
  readonly options: { readonly reduceOptions: { readonly calcs: readonly string[] } }
}

interface Placed {
  readonly id: number
  readonly type: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly datasource?: { readonly uid: string }
}

describe('the dashboard', () => {
  const { panels, templating } = JSON.parse(dashboard()) as {
    panels: Placed[]
    templating: { list: { name: string }[] }
  }

  test('holds only kinds of panels that need no plugin, each with an id of its own', () => {
    expect(new Set(panels.map(({ type }) => type))).toEqual(new Set(['row', 'stat', 'timeseries']))
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })

  test('asks the Prometheus that its variable names, whichever that is', () => {
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'cluster', 'namespace', 'release'])
    const asked = panels.flatMap(({ datasource }) => (datasource ? [datasource.uid] : []))
    expect(new Set(asked)).toEqual(new Set(['$datasource']))
  })

  test('a single value is of now, so that it is no old number of a dead process, and its absence is told', () => {
    const stats = (JSON.parse(dashboard()) as { panels: Stat[] }).panels.filter(({ type }) => type === 'stat')
    for (const { targets, fieldConfig, options } of stats) {
      expect(targets.every(({ instant, range }) => instant && !range)).toBe(true)
      expect(options.reduceOptions.calcs).toEqual(['last'])
      expect(fieldConfig.defaults.noValue).toBe('no data')
    }
  })

  test('every query is of the chosen cluster, namespace and release', () => {
    for (const { targets = [] } of (JSON.parse(dashboard()) as { panels: Partial<Stat>[] }).panels)
      for (const { expr } of targets) for (const label of SCOPE) expect(expr).toContain(`${label}=~"$${label}"`)
  })

  test('no two panels lie on each other, and none beyond the 24 columns', () => {
    const taken = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`),
    )
    expect(new Set(taken).size).toBe(taken.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
  })

  test('every panel says in a sentence what it shows, and in which unit', () => {
    for (const { description, unit } of ROWS.flatMap((row) => row.panels)) {
      expect(description).toMatch(/^[A-Z].+\.$/)
      expect(unit).not.toBe('')
    }
  })
})
