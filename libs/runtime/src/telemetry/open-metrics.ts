import type { IncomingMessage } from 'node:http'
import { type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'

const TYPE = 'application/openmetrics-text'

/** The body of `/metrics`. */
export interface Exposition {
  readonly type: string
  readonly text: string
}

/** A registry's series in the scraper's format: OpenMetrics with exemplars if it accepts that, else Prometheus text. */
export async function exposition(registry: Registry, { accept = '' }: IncomingMessage['headers']): Promise<Exposition> {
  if (!accept.includes(TYPE)) return { type: registry.contentType, text: await registry.metrics() }
  return { type: Registry.OPENMETRICS_CONTENT_TYPE, text: await openMetrics(registry) }
}

type Written = MetricObjectWithValues<MetricValue<string>>

/** Members of prom-client that its types omit. */
interface Readable {
  get(): Promise<Written>
}
interface Writer {
  setContentType(type: typeof Registry.OPENMETRICS_CONTENT_TYPE): void
  getMetricsAsString(metric: Readable): Promise<string>
}

/**
 * prom-client writes one format per registry, and writing the other renames its counters permanently. So each metric is
 * written by a registry of the other format, which never holds it, and a counter under its name without `_total`.
 * @source OpenMetrics 1.0, “Counter”
 */
async function openMetrics(registry: Registry): Promise<string> {
  const writer = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>() as unknown as Writer
  writer.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const texts = registry.getMetricsAsArray().map(async (metric) => {
    const written = await (metric as unknown as Readable).get()
    const name = String(written.type) === 'counter' ? written.name.replace(/_total$/, '') : written.name
    return writer.getMetricsAsString({ get: async () => ({ ...written, name }) })
  })
  return `${(await Promise.all(texts)).join('\n')}\n# EOF\n`
}
