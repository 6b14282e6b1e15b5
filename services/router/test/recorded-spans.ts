import { createRequire } from 'node:module'
import { startTracing } from '@callboard/runtime/telemetry'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'

const exporter = new InMemorySpanExporter()

export const stopTracing = await startTracing('router-test', [new SimpleSpanProcessor({ exporter })])

// Vitest loads CommonJS past the hook that instruments pg; a module that is already loaded is used as it is.
createRequire(import.meta.url)('pg')

/** All ended spans, with everything that a collector would receive about them. */
export const recordedSpans = () =>
  exporter.getFinishedSpans().map(({ name, attributes, events, status, links, resource }) => ({
    name,
    text: JSON.stringify({ name, attributes, events, status, links, resource: resource.attributes }),
  }))
