import { join } from 'node:path'
import { startDemonstration } from '@callboard/all'
import { startCluster } from './cluster/index.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * `npm run dev:split`: every service in processes of its own, over a real nats-server with JetStream, Postgres and
 * Redis, behind one gateway port. `REPLICAS` says how many processes each service gets; `--no-demo` leaves the
 * demonstration out.
 */
async function main(): Promise<void> {
  const folder = join(ROOT, '.callboard-split')
  const told = untilTold()
  const starting = startCluster({
    folder,
    port: Number(process.env.PORT || 8402),
    replicas: Number(process.env.REPLICAS || 1),
    log: console.log,
    told: ({ target, pid, adminUrl }) => console.log(`  ${target.padEnd(17)} pid ${pid}, admin ${adminUrl}`),
  })
  const cluster = await starting
  const { natsUrl, redisUrl, databaseUrl, rpcUrl } = cluster.urls
  console.log(`NATS ${natsUrl}, Redis ${redisUrl}, Postgres ${databaseUrl}, devnet ${rpcUrl}; data in ${folder}`)
  console.log(`Ready: ${cluster.baseUrl}`)
  const demonstrates = !process.argv.includes('--no-demo')
  const endDemonstration = demonstrates ? startDemonstration(join(folder, 'devnet.json')) : async () => {}
  await told
  console.log('Stopping.')
  await endDemonstration()
  await cluster.stop()
}

/** Resolves when a signal asks for the end. */
function untilTold(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  return promise
}

await main()
