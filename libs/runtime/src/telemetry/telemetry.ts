import { randomUUID } from 'node:crypto'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import { buildOf } from '../build.ts'
import type { Env } from '../settings/config-error.ts'
import { withFiles } from '../settings/setting-files.ts'
import { redisSpans } from './redis-spans.ts'

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'

/**
 * The OTLP collector's base URL, which like every setting may come from a file. One that cannot be read is reported with
 * all other settings.
 */
export const collectorOf = (env: Env): string | undefined => withFiles(env, [ENDPOINT]).env[ENDPOINT] || undefined

/**
 * Starts tracing, if configured. Await it before anything imports pg, whose instrumentation patches the module as it
 * loads.
 * @param env whose `OTEL_EXPORTER_OTLP_ENDPOINT` is the OTLP collector's base URL; without one nothing is started
 */
export async function startTelemetry(env: Env, serviceName: string): Promise<() => Promise<void>> {
  const endpoint = collectorOf(env)
  if (!endpoint) return async () => {}
  const [{ OTLPTraceExporter }, { BatchSpanProcessor }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace'),
  ])
  const exporter = new OTLPTraceExporter({ url: new URL('v1/traces', `${endpoint.replace(/\/$/, '')}/`).href })
  return startTracing(serviceName, [new BatchSpanProcessor({ exporter })])
}

/**
 * Records spans of this process: ours, those of Postgres and of Redis. The standard OTEL_TRACES_SAMPLER and
 * OTEL_TRACES_SAMPLER_ARG select traces; without them all are kept, unless the caller's `traceparent` declines.
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
      // Unique per process, as two versions run side by side during an upgrade.
      'service.instance.id': randomUUID(),
      'vcs.ref.head.revision': revision,
    }),
    // Not the process detector: it would publish the command line and the user.
    resourceDetectors: [envDetector, hostDetector],
    spanProcessors: [...spanProcessors],
    // Metrics are served to Prometheus on the admin port, and logs go to stdout.
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
