import { join } from 'node:path'
import { requireFreePort } from '@callboard/embedded'
import { type Env, endingAtOnce, isSet, migrateServices, startServices, untilStopped } from '@callboard/runtime'
import type { Arguments } from './arguments.ts'
import { beneath, instanceEnv, runsOn } from './beside.ts'
import { dataFolder, writeInstance } from './data-folder.ts'
import { startDemonstration } from './demonstration.ts'
import { settingsOfParts, startEmbeddedParts } from './embedded.ts'
import { printConfig } from './print-config.ts'
import { importTarget, serviceNames } from './services.ts'

const DEFAULT_PORT = '8402'

/** Runs an instance from start to stop. @returns the process's exit code */
export async function start(given: Arguments, env: Env, target: string): Promise<number> {
  if (given.listTargets) {
    console.log(['all', ...serviceNames].join('\n'))
    return 0
  }
  const startedAt = performance.now()
  const hasStarted = endingAtOnce()
  const chosen = await importTarget(target)
  if (given.migrate) {
    await migrateServices(chosen, instanceEnv(env))
    console.log(`Schemas, streams and consumers of ${chosen.map(({ name }) => name).join(', ')} are up to date.`)
    return 0
  }
  const port = env.PORT || DEFAULT_PORT
  const baseUrl = env.BASE_URL || `http://127.0.0.1:${port}`
  const folder = dataFolder(env)
  const opensPort = chosen.some((module) => module.name === 'gateway')
  if (given.printConfig)
    return runsOn(folder)
      ? printConfig(chosen, instanceEnv(env))
      : printConfig(chosen, beneath({ LOG_LEVEL: 'warn', BASE_URL: baseUrl }, env), settingsOfParts(env))
  if (opensPort) await requireFreePort(Number(port), 'PORT')

  console.log(`Callboard starts; its data is in ${folder} (CALLBOARD_DATA).`)
  const embedded = await startEmbeddedParts(env, { folder, baseUrl, modules: chosen })
  for (const { name, how, change } of embedded.parts) console.log(`  ${name.padEnd(9)} ${how} (${change})`)
  const whole = beneath({ ...embedded.env, LOG_LEVEL: 'warn' }, env)

  const running = await startServices(chosen, { env: whole }).catch(async (error: unknown) => {
    await embedded.stop()
    throw error
  })
  const adminUrl = `http://127.0.0.1:${running.adminPort}`
  try {
    if (!isSet(env, 'DATABASE_URL'))
      writeInstance(folder, { pid: process.pid, baseUrl, adminUrl, env: { ...embedded.env } })
  } catch (error) {
    // It would serve on although it has failed, and no command would find it.
    await running.stop()
    await embedded.stop()
    throw error
  }
  const isDevnet = !isSet(env, 'RPC_URLS') && target === 'all'
  let stopDemonstration = async () => {}
  hasStarted()
  // Before readiness is announced: whoever waits for that may end it at once.
  const stopped = untilStopped(
    {
      ...running,
      failed: Promise.race([running.failed, embedded.failed]),
      stop: async () => {
        console.log('Stopping.')
        await stopDemonstration()
        await running.stop()
      },
    },
    () => embedded.stop(),
  )
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`  Services  ${chosen.map((module) => module.name).join(', ')}, in one process (TARGET)`)
  console.log(`  Admin     ${adminUrl}: /livez /readyz /metrics (ADMIN_PORT)`)
  console.log(`Ready after ${seconds} s: ${baseUrl}`)
  if (given.demo && isDevnet) stopDemonstration = startDemonstration(join(folder, 'devnet.json'))
  return stopped
}
