import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { examples, findHelm, MINIMAL, ofKind, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

const originals = (folder: string, ending: string): string[] => {
  const path = join(ROOT, 'deploy/monitoring', folder)
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(ending)) : []
}

describe.skipIf(!helm)('monitoring', () => {
  const objects = helm ? render(program, examples().get('monitoring') ?? '') : []

  test('is off until it is asked for', () => {
    const kinds = render(program, MINIMAL).map(({ kind }) => kind)
    for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ConfigMap']) expect(kinds).not.toContain(kind)
  })

  test('every file of rules reaches the operator whole, its templates untouched', () => {
    const rules = ofKind(objects, 'PrometheusRule').map(({ spec }) => spec)
    const wanted = originals('rules', '.yaml').map((name) =>
      parse(readFileSync(join(ROOT, 'deploy/monitoring/rules', name), 'utf8')),
    )
    expect(rules).toEqual(wanted)
  })

  test('every dashboard reaches Grafana’s sidecar whole', () => {
    const data = ofKind(objects, 'ConfigMap').map((map) => Object.entries(map.data as Record<string, string>)[0])
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
