import { createRequire } from 'node:module'
import { startTracing } from '@callboard/runtime/telemetry'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'

/** The spans of this process, in memory. To be imported before anything that imports pg. */
export const exporter = new InMemorySpanExporter()

/** Shuts tracing down. */
export const stopTracing = await startTracing('callboard-test', [new SimpleSpanProcessor({ exporter })])

// Vitest loads CommonJS by ways of its own, past the hook that instruments pg; what is loaded already, it takes as it is.
createRequire(import.meta.url)('pg')
