import { startServices } from '@callboard/runtime'
import { misunderstood } from '@callboard/runtime/command-line'
import { directUrlOf, instanceEnv } from '../beside.ts'
import { operatorName } from '../operator/name.ts'
import { projections } from '../projection.ts'
import { rebuildProjection } from '../rebuild-projection.ts'
import { importServices } from '../services.ts'

/**
 * `npm run rebuild catalog`: rebuilds a projection from the event logs while the instance runs.
 * @param words of the command line: the name of a projection
 * @param given who makes it, as the command line says
 * @param usage printed with a syntax error
 * @returns the exit code
 */
export async function rebuild(
  [name, ...more]: readonly string[],
  given: string | undefined,
  usage: string,
): Promise<number> {
  const projection = projections.find((one) => one.module.name === name)
  if (!projection || more.length > 0) return misunderstood(`There is no projection ${name ?? 'without a name'}.`, usage)
  const by = operatorName(process.env, given, usage)
  const env = instanceEnv(process.env)
  const running = await startServices([projection.module], { env, operationsOnly: true })
  try {
    const ctx = running.contexts.get(projection.module.name)
    if (!ctx) throw new Error(`${name} did not start.`)
    const startedAt = performance.now()
    const sources = (await importServices()).filter(({ publishes }) => publishes.length > 0)
    const databaseUrl = directUrlOf(env)
    const asked = { projection, ctx, sources, databaseUrl, by }
    const { events, rows } = await rebuildProjection(asked)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${name}: rebuilt from ${events} events in ${seconds} s; ${rows} rows differed from them`)
    return 0
  } finally {
    await running.stop()
  }
}
