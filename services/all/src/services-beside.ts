import { type Running, type ServiceModule, startServices } from '@callboard/runtime'
import { instanceEnv } from './beside.ts'
import { importServices, type ServiceName } from './services.ts'

/**
 * Works next to a running instance: on its tables, with the operations of the needed services, without what must not
 * run twice.
 */
export async function servicesBeside(
  needed: readonly ServiceName[],
  work: (running: Running, modules: readonly ServiceModule[]) => Promise<number>,
  how: { readonly operationsOnly: true } | { readonly servesNothing: true } = { operationsOnly: true },
): Promise<number> {
  const modules = (await importServices(needed)).filter(({ migrations }) => migrations)
  const running = await startServices(modules, { env: instanceEnv(process.env), ...how })
  try {
    return await work(running, modules)
  } finally {
    await running.stop()
  }
}
