import { createRequire } from 'node:module'
import { startTracing } from '@callboard/runtime/telemetry'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'

/** The spans of this process, in memory. Import it before anything that imports pg. */
export const exporter = new InMemorySpanExporter()

/** Shuts tracing down. */
export const stopTracing = await startTracing('callboard-test', [new SimpleSpanProcessor({ exporter })])

// Vitest loads CommonJS in its own way, past the hook that instruments pg; it uses an already loaded module as it is.
createRequire(import.meta.url)('pg')
