import { join } from 'node:path'
import { modules } from '@callboard/all'
import { ROOT } from '@callboard/tools/generated-files'
import { describe, expect, test } from 'vitest'
import { examples, findHelm, type KubeObject } from '../src/chart.ts'
import { ofKind, render, valuesOf } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''
const own = valuesOf(join(ROOT, 'deploy/canary/values.yaml'))

const namesOf = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)

describe.skipIf(!helm)('a canary beside a release', () => {
  const telling = ['autoscaling', 'cnpg-pooler', 'http-route', 'monitoring']
  test.each(telling)('%s: shares no object with it, and wakes no one', (example) => {
    const [file, named] = [examples().get(example) ?? '', { fullnameOverride: 'market' }]
    const release = namesOf(render(program, file, named))
    const canary = render(program, file, { ...named, ...own }, { release: 'cb-canary' })
    expect(namesOf(canary).filter((name) => release.includes(name))).toEqual([])
    const kinds = new Set(canary.map(({ kind }) => kind))
    for (const kind of [
      'Ingress',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'ScaledObject',
      'PrometheusRule',
      'ConfigMap',
    ])
      expect(kinds, kind).not.toContain(kind)
  })

  test('has one process of each service, where the values give no service a number of its own', () => {
    for (const example of ['minimal', 'autoscaling']) {
      const canary = render(program, examples().get(example) ?? '', own, { release: 'cb-canary' })
      const replicas = ofKind(canary, 'Deployment').map(({ spec }) => spec.replicas)
      expect(replicas, example).toEqual(modules.map(() => 1))
    }
  })
})
