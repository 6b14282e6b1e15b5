import { enableCompileCache } from 'node:module'

// Caches compiled code where possible: the next start is faster.
enableCompileCache()

/** How long the process may take to end by itself once everything has stopped. */
const ENDS_WITHIN_MS = 1_000

/** The entry point of `npm start` and of the image: starts what `TARGET` names, and ends with the process. */
try {
  const { readArguments } = await import('./arguments.ts')
  const { startTelemetry } = await import('@callboard/runtime/telemetry')
  const given = readArguments(process.argv.slice(2))
  const target = process.env.TARGET || 'all'
  const stopTelemetry = await startTelemetry(process.env, `callboard-${target}`)
  const { start } = await import('./instance.ts')
  process.exitCode = await start(given, process.env, target)
  await stopTelemetry()
} catch (error) {
  const { failureText } = await import('@callboard/runtime/command-line')
  console.error(failureText(error))
  process.exitCode = 1
}
// What only another side could end, such as a socket of a node that hangs, keeps no stopped process alive.
setTimeout(() => process.exit(), ENDS_WITHIN_MS).unref()
