import { TraceFlags, trace } from '@opentelemetry/api'
import { Counter, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { exemplarOf, histogramWithExemplars } from './exemplar.ts'
import { createMetrics } from './metrics.ts'
import { exposition } from './open-metrics.ts'

const TRACE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isRemote: false }
const PROMETHEUS =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'

const spanWith = (traceFlags: TraceFlags) => trace.wrapSpanContext({ ...TRACE, traceFlags })

function measured() {
  const registry = new Registry()
  const seconds = histogramWithExemplars(registry, {
    name: 'work_seconds',
    help: 'Work.',
    labelNames: ['kind'],
    buckets: [1, 5],
  })
  const done = new Counter({ name: 'work_total', help: 'Works.', registers: [registry] })
  done.inc(3)
  seconds.observe({ labels: { kind: 'a' }, value: 2, exemplarLabels: exemplarOf(spanWith(TraceFlags.SAMPLED)) })
  seconds.observe({ labels: { kind: 'a' }, value: 0.5, exemplarLabels: exemplarOf(spanWith(TraceFlags.NONE)) })
  return registry
}

test('OpenMetrics: a bucket names the trace of its last measurement, if that trace is sampled', async () => {
  const { type, text } = await exposition(measured(), { accept: PROMETHEUS })
  expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  const lines = text.split('\n')
  expect(lines.find((line) => line.startsWith('work_seconds_bucket{le="5"'))).toMatch(
    /^work_seconds_bucket\{le="5",kind="a"\} 2 # \{trace_id="0af7651916cd43dd8448eb211c80319c",span_id="b7ad6b7169203331"\} 2 \d+(\.\d+)?$/,
  )
  expect(lines).toContain('work_seconds_bucket{le="1",kind="a"} 1')
  expect(lines).toContain('# TYPE work counter')
  expect(lines).toContain('work_total 3')
  expect(text.endsWith('\n# EOF\n')).toBe(true)
})

test('a client that does not ask for OpenMetrics gets plain text, even after one that did', async () => {
  const registry = measured()
  const before = await exposition(registry, {})
  await exposition(registry, { accept: PROMETHEUS })
  const after = await exposition(registry, { accept: 'text/plain' })
  expect(after).toEqual(before)
  expect(after.type).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(after.text).toContain('# TYPE work_total counter')
  expect(after.text).not.toContain('trace_id')
})

test('both formats carry the same series', async () => {
  const { registry } = createMetrics()
  const namesIn = async (accept: string) => {
    const { text } = await exposition(registry, { accept })
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return series.map((line) => line.replace(/ .*$/, '')).sort()
  }
  expect(await namesIn(PROMETHEUS)).toEqual(await namesIn(''))
})
