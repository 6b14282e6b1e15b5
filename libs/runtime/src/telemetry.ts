/**
 * Starts tracing, when it is asked for. To be awaited before anything imports pg, whose instrumentation patches the
 * module as it loads.
 * @param endpoint the OTLP collector's base URL; without one nothing is started
 */
export async function startTelemetry(endpoint: string | undefined, serviceName: string): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {}
  const [{ NodeSDK }, { OTLPTraceExporter }, { PgInstrumentation }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/instrumentation-pg'),
    import('@opentelemetry/resources'),
  ])
  const sdk = new NodeSDK({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    traceExporter: new OTLPTraceExporter({ url: new URL('v1/traces', `${endpoint.replace(/\/$/, '')}/`).href }),
    // Metrics are Prometheus's, on the admin port, and logs go to stdout.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [new PgInstrumentation({ requireParentSpan: true })],
  })
  sdk.start()
  return () => sdk.shutdown()
}
