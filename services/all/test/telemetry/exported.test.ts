import { afterAll, beforeAll, expect, test } from 'vitest'
import { Instance, SOURCE } from '../instance.ts'
import { openCollector } from './collector.ts'

/** Run from source, since spans come from packages that are instrumented on import. */
const instance = new Instance(SOURCE)
let collector: Awaited<ReturnType<typeof openCollector>>

const WANTED = '0af7651916cd43dd8448eb211c80319c'

/** Collects what the process has exported by its end: it exports the rest before it stops. */
beforeAll(async () => {
  collector = await openCollector()
  await instance.start(['--no-demo'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  const path = `${instance.baseUrl}/x402/discovery/resources`
  await fetch(path, { headers: { traceparent: `00-${WANTED}-b7ad6b7169203331-01` } })
  await fetch(path)
  await instance.dispose()
}, 120_000)
afterAll(() => collector.close())

test('a process with a collector configured exports one trace from HTTP to SQL', () => {
  const names = collector
    .spans()
    .filter(({ traceId }) => traceId === WANTED)
    .map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'GET /x402/discovery/resources',
      'send rpc.x402-facilitator.discoveryResources',
      'process rpc.x402-facilitator.discoveryResources',
      expect.stringMatching(/^pg\.query:SELECT/),
    ]),
  )
})

test('the standard sampler settings apply: at a ratio of 0 an unrequested trace is not exported', () => {
  expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(new Set([WANTED]))
})

test('the resource attributes name the service and not its command line', () => {
  expect(collector.resourceAttributes()).toContain('service.name')
  expect(collector.resourceAttributes().filter((key) => key.startsWith('process.'))).toEqual([])
})
