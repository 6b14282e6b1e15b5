import { type Span, TraceFlags } from '@opentelemetry/api'
import { Histogram, type HistogramConfiguration, type Registry } from 'prom-client'

/** The trace of a measured time, for a histogram with exemplars; empty where it is not recorded. */
export function exemplarOf(span: Span | undefined): Record<string, string> {
  const context = span?.spanContext()
  if (!context || (context.traceFlags & TraceFlags.SAMPLED) === 0) return {}
  return { trace_id: context.traceId, span_id: context.spanId }
}

/**
 * A histogram whose buckets each name a trace, where a scraper accepts OpenMetrics. prom-client's constructor refuses a
 * registry in Prometheus's text format, which has no exemplars.
 */
export function histogramWithExemplars<Label extends string>(
  registry: Registry,
  settings: Omit<HistogramConfiguration<Label>, 'registers' | 'enableExemplars'>,
): Histogram<Label> {
  const histogram = new Histogram({ ...settings, enableExemplars: true, registers: [] })
  registry.registerMetric(histogram)
  return histogram
}
