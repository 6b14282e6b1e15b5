import { startServices } from '@callboard/runtime'
import { instanceEnv } from './beside.ts'
import { modules } from './modules.ts'
import { projections, rebuildProjection } from './projection.ts'

/** `npm run rebuild catalog`: drops a projection and makes it again from the event logs, while the instance runs. */
async function main([name, ...more]: readonly string[]): Promise<number> {
  const projection = projections.find((one) => one.module.name === name)
  if (!projection || more.length > 0) {
    console.error(`usage: npm run rebuild ${projections.map((one) => one.module.name).join(' | ')}`)
    return 2
  }
  const running = await startServices([projection.module], { env: instanceEnv(process.env), operationsOnly: true })
  try {
    const kit = running.kits.get(projection.module.name)
    if (!kit) throw new Error(`${name} did not start.`)
    const startedAt = performance.now()
    const sources = modules.filter((module) => module.publishes.length > 0)
    const count = await rebuildProjection(projection, kit, sources)
    console.log(`${name}: rebuilt from ${count} events in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    return 0
  } finally {
    await running.stop()
  }
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
