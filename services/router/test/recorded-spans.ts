import { createRequire } from 'node:module'
import { startTracing } from '@callboard/runtime/telemetry'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'

const exporter = new InMemorySpanExporter()

export const stopTracing = await startTracing('router-test', [new SimpleSpanProcessor({ exporter })])

// Vitest loads CommonJS past the hook that instruments pg; what is loaded already, it takes as it is.
createRequire(import.meta.url)('pg')

/** All that has ended, with everything that a collector would be told of it. */
export const recordedSpans = () =>
  exporter.getFinishedSpans().map(({ name, attributes, events, status, links, resource }) => ({
    name,
    text: JSON.stringify({ name, attributes, events, status, links, resource: resource.attributes }),
  }))
