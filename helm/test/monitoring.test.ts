import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { askedBy } from '../../deploy/monitoring/src/selectors.ts'
import { examples, findHelm, MINIMAL } from '../src/chart.ts'
import { ofKind, refusal, render } from './helm.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
interface Recording {
  readonly record: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly (Rule | Recording)[] }[]
}

const helm = findHelm()
const program = helm ?? ''

const originals = (folder: string, ending: string): string[] => {
  const path = join(ROOT, 'deploy/monitoring', folder)
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(ending)) : []
}

describe.skipIf(!helm)('monitoring', () => {
  const objects = helm ? render(program, examples().get('monitoring') ?? '') : []

  test('is off by default', () => {
    const kinds = render(program, MINIMAL).map(({ kind }) => kind)
    for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ConfigMap']) expect(kinds).not.toContain(kind)
  })

  const allOf = (all: typeof objects): (Rule | Recording)[] =>
    ofKind(all, 'PrometheusRule').flatMap(({ spec }) => (spec as Rules).groups.flatMap(({ rules }) => rules))
  const rulesOf = (all: typeof objects): Rule[] => allOf(all).filter((rule) => 'alert' in rule)
  const recordingsOf = (all: typeof objects): Recording[] => allOf(all).filter((rule) => 'record' in rule)
  const named = (all: typeof objects, alert: string) => rulesOf(all).filter((rule) => rule.alert === alert)

  test('every rule reaches the operator with all placeholders filled in and its templates untouched', () => {
    const text = JSON.stringify(rulesOf(objects))
    expect(text).not.toContain('%{')
    expect(text).toContain('{{ $labels.service }}')
    const wanted = originals('rules', '.yaml').flatMap((name) =>
      (parse(readFileSync(join(ROOT, 'deploy/monitoring/rules', name), 'utf8')) as Rules).groups.flatMap((group) =>
        group.rules.flatMap((rule) => ('alert' in rule ? [rule.alert] : [])),
      ),
    )
    expect(rulesOf(objects).map(({ alert }) => alert)).toEqual(wanted.filter((alert) => alert !== 'RouterOverclaims'))
  })

  test('a rule selects series of its own cluster, namespace and release, so that staging pages for staging', () => {
    for (const { expr } of allOf(objects).filter((rule) => !('alert' in rule) || rule.alert !== 'Watchdog')) {
      const { selectors } = askedBy(expr)
      expect(selectors.length).toBeGreaterThan(0)
      for (const { matchers } of selectors) {
        const scope = ['cluster', 'namespace', 'release'].map(
          (label) => matchers.find((one) => one.label === label)?.value,
        )
        expect(scope, expr).toEqual(['europe', 'market', 'cb'])
      }
    }
    const [monitor] = ofKind(objects, 'ServiceMonitor')
    expect(monitor?.spec.endpoints[0].relabelings).toEqual([
      { targetLabel: 'namespace', replacement: 'market' },
      { targetLabel: 'release', replacement: 'cb' },
      { targetLabel: 'cluster', replacement: 'europe' },
    ])
  })

  test('thresholds, windows, severities and switches are set by values', () => {
    const [stuck] = named(objects, 'OutboxStuck')
    expect(stuck).toMatchObject({ for: '5m', labels: { severity: 'warning' } })
    expect(stuck?.expr).toMatch(/> 120$/)
    expect(named(objects, 'RouterOverclaims')).toEqual([])
    expect(
      refusal(program, MINIMAL, { monitoring: { rules: { alerts: { OutboxStuck: { agSeconds: 1 } } } } }),
    ).toContain('agSeconds')
  })

  test('a budget is the same in its alert and its recording rule, which exists even with the alert off', () => {
    const budgetOf = (given: object) => {
      const all = render(program, examples().get('monitoring') ?? '', {
        monitoring: { rules: { alerts: { GatewayErrorBudgetBurn: given } } },
      })
      const isBudget = ({ record, labels }: Recording) =>
        record === 'callboard:slo_budget:ratio' && labels?.slo === 'requests'
      return { recorded: recordingsOf(all).find(isBudget)?.expr, burn: named(all, 'GatewayErrorBudgetBurn')[0]?.expr }
    }
    const wider = budgetOf({ budget: 0.02 })
    expect(wider.recorded).toMatch(/ \+ 0\.02$/)
    expect(wider.burn).toContain('14.4 * 0.02')
    expect(budgetOf({ enabled: false })).toEqual({ recorded: expect.stringMatching(/ \+ 0\.001$/), burn: undefined })
  })

  test('a disabled target has no alerts, and one with three replicas is reported at two', () => {
    const all = render(program, examples().get('monitoring') ?? '', {
      targets: { router: { enabled: false }, catalog: { replicas: 3 } },
    })
    expect(named(all, 'TargetDown').map(({ labels }) => labels.service)).not.toContain('router')
    const unseen = named(all, 'AlertBlind').filter(({ expr }) => expr.includes('callboard_router_'))
    expect(unseen).toEqual([])
    const catalog = named(all, 'TooFewReplicas').find(({ labels }) => labels.service === 'catalog')
    expect(catalog?.expr).toMatch(/< 3$/m)
  })

  test('no process of a target is missed that may have none', () => {
    const scaledToNothing = {
      autoscaling: { kind: 'keda', minReplicas: 0, triggers: [{ type: 'cron', metadata: {} }] },
    }
    const all = render(program, examples().get('monitoring') ?? '', {
      targets: { router: { replicas: 0 }, 'liveness-prober': scaledToNothing },
    })
    const missed = rulesOf(all).flatMap(({ alert, labels }) => (alert === 'TargetDown' ? (labels.service ?? []) : []))
    expect(missed).toContain('listings')
    expect(missed).not.toContain('router')
    expect(missed).not.toContain('liveness-prober')
  })

  test('every alert links to its runbook, and the runbooks are in a ConfigMap', () => {
    const pages = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name.endsWith('-runbooks'))
    for (const { annotations } of rulesOf(objects)) {
      const [, page] = /^https:\/\/wiki\.example\/callboard\/([a-z-]+)$/.exec(annotations.runbook_url ?? '') ?? []
      expect(Object.keys(pages?.data as object)).toContain(`${page}.md`)
    }
  })

  test('every dashboard reaches Grafana’s sidecar unchanged', () => {
    const maps = ofKind(objects, 'ConfigMap').filter(({ metadata }) => metadata.name.includes('-dashboard-'))
    const data = maps.map((map) => Object.entries(map.data as Record<string, string>)[0])
    const wanted = originals('dashboards', '.json').map((name) => [
      name,
      readFileSync(join(ROOT, 'deploy/monitoring/dashboards', name), 'utf8').trimEnd(),
    ])
    expect(data).toEqual(wanted)
  })

  test('Prometheus scrapes the admin port of every target, and a metric’s own labels win', () => {
    const [monitor] = ofKind(objects, 'ServiceMonitor')
    const wanted = monitor?.spec.selector.matchLabels as Record<string, string>
    const scraped = ofKind(objects, 'Service').filter(({ metadata }) =>
      Object.entries(wanted).every(([label, value]) => metadata.labels?.[label] === value),
    )
    expect(scraped.length).toBe(ofKind(objects, 'Deployment').length)
    for (const { spec } of scraped) expect(spec.ports.map(({ name }: { name: string }) => name)).toEqual(['metrics'])
    expect(monitor?.spec.endpoints[0]).toMatchObject({ port: 'metrics', honorLabels: true })
  })
})
