import { startServices } from '@callboard/runtime'
import { commandLine, misunderstood } from '@callboard/runtime/command-line'
import { instanceEnv } from './beside.ts'
import { modules } from './modules.ts'
import { projections, rebuildProjection } from './projection.ts'

const USAGE = `usage: npm run rebuild -- ${projections.map((one) => one.module.name).join(' | ')}
  Drops a projection and makes it again from the event logs, while the instance of the data folder (CALLBOARD_DATA) runs.`

/** `npm run rebuild catalog`: drops a projection and makes it again from the event logs, while the instance runs. */
async function main([name, ...more]: readonly string[]): Promise<number> {
  const projection = projections.find((one) => one.module.name === name)
  if (!projection || more.length > 0) return misunderstood(`There is no projection ${name ?? 'without a name'}.`, USAGE)
  const running = await startServices([projection.module], { env: instanceEnv(process.env), operationsOnly: true })
  try {
    const ctx = running.contexts.get(projection.module.name)
    if (!ctx) throw new Error(`${name} did not start.`)
    const startedAt = performance.now()
    const sources = modules.filter((module) => module.publishes.length > 0)
    const count = await rebuildProjection(projection, ctx, sources)
    console.log(`${name}: rebuilt from ${count} events in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    return 0
  } finally {
    await running.stop()
  }
}

process.exitCode = await main(commandLine(process.argv.slice(2), { usage: USAGE, words: true }).positionals).catch(
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    return 1
  },
)
