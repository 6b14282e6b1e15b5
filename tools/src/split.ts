import { join, resolve } from 'node:path'
import { commandLine, misunderstood } from '@callboard/runtime/command-line'

const ROOT = join(import.meta.dirname, '../..')

const USAGE = `usage: npm run dev:split [-- --no-demo] [--help]
  Runs every service in its own processes, over a real nats-server, Postgres and Redis, behind one gateway port.
  --no-demo  leaves the demonstration out
settings: PORT (8402), REPLICAS, the number of processes per service (1), CALLBOARD_DATA (.callboard-split), LOG_LEVEL (warn)`

/**
 * `npm run dev:split`: every service in processes of its own, over a real nats-server with JetStream, Postgres and
 * Redis, behind one gateway port. `REPLICAS` sets the number of processes per service; `--no-demo` omits the
 * demonstration. If killed, it leaves no process behind.
 */
async function main(): Promise<void> {
  const { values } = commandLine(process.argv.slice(2), { usage: USAGE, options: { 'no-demo': { type: 'boolean' } } })
  const replicas = Number(process.env.REPLICAS || 1)
  if (!Number.isSafeInteger(replicas) || replicas < 1) misunderstood('REPLICAS must be a whole number, from 1.', USAGE)
  const folder = resolve(process.env.CALLBOARD_DATA || join(ROOT, '.callboard-split'))
  // The services are imported only now, so that command-line errors are reported at once.
  const [{ startDemonstration }, { endWithThisProcess }, { startCluster }, { noteInstance }] = await Promise.all([
    import('@callboard/all'),
    import('@callboard/embedded'),
    import('./cluster/index.ts'),
    import('./cluster/note-instance.ts'),
  ])
  endWithThisProcess()
  const signalled = untilSignalled()
  const starting = startCluster({
    folder,
    port: Number(process.env.PORT || 8402),
    replicas,
    env: process.env.LOG_LEVEL ? { LOG_LEVEL: process.env.LOG_LEVEL } : {},
    log: console.log,
    told: ({ target, pid, adminUrl }) => console.log(`  ${target.padEnd(17)} pid ${pid}, admin ${adminUrl}`),
  })
  const cluster = await starting
  noteInstance(cluster)
  const { natsUrl, redisUrl, databaseUrl, rpcUrl } = cluster.urls
  console.log(`NATS ${natsUrl}, Redis ${redisUrl}, Postgres ${databaseUrl}, devnet ${rpcUrl}; data in ${folder}`)
  console.log(`Ready: ${cluster.baseUrl}`)
  const demonstrates = values['no-demo'] !== true
  const endDemonstration = demonstrates ? startDemonstration(join(folder, 'devnet.json')) : async () => {}
  await signalled
  console.log('Stopping.')
  await endDemonstration()
  await cluster.stop()
}

/** Resolves when a signal requests the end. */
function untilSignalled(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  return promise
}

await main()
