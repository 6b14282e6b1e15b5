import { randomUUID } from 'node:crypto'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import { buildOf } from './build.ts'
import { redisSpans } from './redis-spans.ts'

/**
 * Starts tracing, when it is asked for. To be awaited before anything imports pg, whose instrumentation patches the
 * module as it loads.
 * @param endpoint the OTLP collector's base URL; without one nothing is started
 */
export async function startTelemetry(endpoint: string | undefined, serviceName: string): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {}
  const [{ OTLPTraceExporter }, { BatchSpanProcessor }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace'),
  ])
  const exporter = new OTLPTraceExporter({ url: new URL('v1/traces', `${endpoint.replace(/\/$/, '')}/`).href })
  return startTracing(serviceName, [new BatchSpanProcessor({ exporter })])
}

/**
 * Records spans of this process: ours, those of Postgres and of Redis. Which traces are kept is said by the standard
 * OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG; without them all are, unless the caller's `traceparent` says no.
 * @param spanProcessors where the spans go
 */
export async function startTracing(
  serviceName: string,
  spanProcessors: readonly SpanProcessor[],
): Promise<() => Promise<void>> {
  const [{ NodeSDK }, { PgInstrumentation }, { envDetector, hostDetector, resourceFromAttributes }] = await Promise.all(
    [
      import('@opentelemetry/sdk-node'),
      import('@opentelemetry/instrumentation-pg'),
      import('@opentelemetry/resources'),
    ],
  )
  const { version, revision } = buildOf(process.env)
  const sdk = new NodeSDK({
    resource: resourceFromAttributes({
      'service.namespace': 'callboard',
      'service.name': serviceName,
      'service.version': version,
      // Of each process another one, as two versions run side by side while one takes the other's place.
      'service.instance.id': randomUUID(),
      'vcs.ref.head.revision': revision,
    }),
    // Not the process detector: it would publish the command line and who started it.
    resourceDetectors: [envDetector, hostDetector],
    spanProcessors: [...spanProcessors],
    // Metrics are Prometheus's, on the admin port, and logs go to stdout.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [new PgInstrumentation({ requireParentSpan: true })],
  })
  sdk.start()
  const endRedisSpans = redisSpans()
  return async () => {
    endRedisSpans()
    await sdk.shutdown()
  }
}
