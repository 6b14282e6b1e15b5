import { startTelemetry } from '@callboard/runtime/telemetry'
import { readArguments } from './arguments.ts'

/** `npm start` and the image's entry: starts what `TARGET` names and ends with the process. */
try {
  const given = readArguments(process.argv.slice(2))
  const target = process.env.TARGET || 'all'
  const stopTelemetry = await startTelemetry(process.env.OTEL_EXPORTER_OTLP_ENDPOINT, `callboard-${target}`)
  const { start } = await import('./instance.ts')
  process.exitCode = await start(given, process.env, target)
  await stopTelemetry()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
