import { join } from 'node:path'
import { ROOT } from '@callboard/tools/generated-files'
import { describe, expect, test } from 'vitest'
import { EXAMPLE, targetOf, valuesOf } from '../src/capacity/chart-values.ts'
import { findHelm } from '../src/chart.ts'
import { targetWork } from '../src/work-measures.ts'
import { ofKind, render } from './helm.ts'

const helm = findHelm()

interface Metric {
  readonly resource?: { readonly name: 'cpu' | 'memory'; readonly target: { readonly averageUtilization: number } }
  readonly external?: {
    readonly metric: { readonly name: string }
    readonly target: { readonly value?: string; readonly averageValue?: string }
  }
}

describe.skipIf(!helm)('docs/capacity.md matches what the chart renders', () => {
  const scaled = helm ? ofKind(render(helm, join(ROOT, EXAMPLE)), 'HorizontalPodAutoscaler') : []

  test.each(scaled.map((object) => [object.metadata.labels?.['app.kubernetes.io/component'] ?? '', object.spec]))(
    '%s: limits, behavior and targets equal the autoscaler’s',
    (target, spec) => {
      const { autoscaling } = valuesOf(target)
      expect(spec).toMatchObject({
        minReplicas: autoscaling.minReplicas,
        maxReplicas: autoscaling.maxReplicas,
        behavior: autoscaling.behavior,
      })
      const rendered = (spec.metrics as Metric[]).map(({ resource, external }) =>
        resource
          ? [resource.name, resource.target.averageUtilization]
          : [external?.metric.name, Number(external?.target.value ?? external?.target.averageValue)],
      )
      const work = autoscaling.kind === 'work' ? targetWork()[target] : undefined
      const percent = {
        cpu: autoscaling.targetCPUUtilizationPercentage,
        memory: autoscaling.targetMemoryUtilizationPercentage,
      }
      expect(rendered).toEqual([
        ...(work?.resources ?? (['cpu'] as const)).map((resource) => [resource, percent[resource]]),
        ...Object.entries(work?.metrics ?? {}).map(([measure, { name }]) => [name, targetOf(target, measure)]),
      ])
    },
  )

  test('the example scales six targets', () => {
    expect(scaled).toHaveLength(6)
  })
})
