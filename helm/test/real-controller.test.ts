import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { ROOT } from '@callboard/tools/generated-files'
import { describe, expect, test } from 'vitest'
import { EXAMPLE, valuesOf } from '../src/capacity/chart-values.ts'
import { type Look, looks } from '../src/capacity/week.ts'
import { findHelm } from '../src/chart.ts'
import { ofTarget, render } from './helm.ts'

const helm = findHelm()
const isAsked = process.env.HPA_CONTROLLER === '1'

interface RenderedMetric {
  readonly resource?: { readonly name: string }
  readonly external?: { readonly metric: { readonly name: string } }
}

/** The metrics shown, by the controller's names for them. */
function shownIn({ measures }: Look, metrics: readonly RenderedMetric[]): Record<string, number> {
  return Object.fromEntries(
    metrics.map(({ resource, external }, at) => {
      const measure = measures[at]
      const value = measure?.kind === 'utilization' ? measure.percent : measure?.value
      return [resource?.name ?? external?.metric.name, value ?? 0]
    }),
  )
}

/**
 * Kubernetes' own controller, built from source, at the moments of the week in simulated time. It takes minutes to
 * build on two cores, so it is optional: `HPA_CONTROLLER=1`, with Go 1.25 or newer.
 */
describe.skipIf(!helm || !isAsked)('the real HorizontalPodAutoscaler controller', () => {
  test('decides as docs/capacity.md does at every moment of the week, on what the chart renders', {
    timeout: 1_800_000,
  }, () => {
    const objects = render(helm ?? '', join(ROOT, EXAMPLE))
    const traces = Object.entries(looks()).map(([target, made]) => {
      const hpa = ofTarget(objects, 'HorizontalPodAutoscaler', target)
      const { requests } = valuesOf(target).resources
      const shown = made.map((look) => ({
        ...{ ready: look.ready, starting: look.starting, decided: look.decided },
        measures: shownIn(look, hpa.spec.metrics),
      }))
      return [target, { hpa, requests, looks: shown }]
    })
    const file = join(temporaryFolder('callboard-hpa-'), 'traces.json')
    writeFileSync(file, JSON.stringify(Object.fromEntries(traces)))
    const said = execFileSync('go', ['test', '-count=1', '-timeout=30m', '-v', '.'], {
      cwd: join(import.meta.dirname, 'controller'),
      env: { ...process.env, TRACES: file, GOFLAGS: '-mod=readonly' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for (const [target] of traces) expect(said).toMatch(new RegExp(`--- PASS: TestWeek/${target}`))
    console.log(
      said
        .split('\n')
        .filter((line) => / looks, /.test(line))
        .join('\n'),
    )
  })
})
