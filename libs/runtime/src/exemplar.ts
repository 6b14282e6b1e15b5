import { type Span, TraceFlags } from '@opentelemetry/api'
import { Histogram, type HistogramConfiguration, type Registry } from 'prom-client'

/** The trace that a measured time belongs to, for a histogram with exemplars; nothing where it is not recorded. */
export function exemplarOf(span: Span | undefined): Record<string, string> {
  const context = span?.spanContext()
  if (!context || (context.traceFlags & TraceFlags.SAMPLED) === 0) return {}
  return { trace_id: context.traceId, span_id: context.spanId }
}

/**
 * A histogram whose buckets name a trace each, where a scraper takes OpenMetrics. prom-client refuses one at its making that
 * names a registry of Prometheus's text, which leaves exemplars out.
 */
export function histogramWithExemplars<Label extends string>(
  registry: Registry,
  settings: Omit<HistogramConfiguration<Label>, 'registers' | 'enableExemplars'>,
): Histogram<Label> {
  const histogram = new Histogram({ ...settings, enableExemplars: true, registers: [] })
  registry.registerMetric(histogram)
  return histogram
}
