import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { startEmbeddedParts } from '@callboard/all/embedded'
import { freePort, requireFreePort } from '@callboard/embedded'
import { startNatsServer, startRedisServer } from '@callboard/testkit/servers'

const ROOT = join(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'services/all/src/main.ts')

/**
 * `npm run dev:split`: every service in processes of its own, over a real nats-server with JetStream, Postgres and
 * Redis, behind one gateway port. `REPLICAS` says how many processes each service gets.
 */
async function main(): Promise<void> {
  const port = Number(process.env.PORT || 8402)
  const replicas = Number(process.env.REPLICAS || 1)
  const folder = join(ROOT, '.callboard-split')
  mkdirSync(folder, { recursive: true })
  await requireFreePort(port, 'PORT')
  const baseUrl = `http://127.0.0.1:${port}`
  const told = untilTold()
  const stops: (() => Promise<unknown>)[] = []
  try {
    const nats = await startNatsServer({ storeDir: join(folder, 'nats'), pidFile: join(folder, 'nats.pid') })
    stops.push(() => nats.stop())
    const redis = await startRedisServer({ dataDir: join(folder, 'redis'), pidFile: join(folder, 'redis.pid') })
    stops.push(() => redis.stop())
    const servers = { NATS_URL: nats.url, REDIS_URL: redis.url }
    const embedded = await startEmbeddedParts(servers, folder, baseUrl)
    stops.push(() => embedded.stop())
    console.log(`NATS ${nats.url}, Redis ${redis.url}, Postgres and the devnet as in npm start; data in ${folder}`)
    const shared = { PORT: String(port), CALLBOARD_DATA: folder, REUSE_PORT: 'true' }
    const env = { ...process.env, ...embedded.env, ...servers, ...shared }
    for (const { name: target } of modules) {
      for (let replica = 1; replica <= replicas; replica += 1) {
        const adminUrl = `http://127.0.0.1:${await freePort()}`
        const child = spawn(process.execPath, [MAIN, '--no-demo'], {
          env: { ...env, TARGET: target, ADMIN_PORT: new URL(adminUrl).port },
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        stops.push(() => end(child))
        if (await Promise.race([ready(`${adminUrl}/readyz`, target, child), told])) return
        console.log(`  ${target} ${replica}/${replicas}: pid ${child.pid}, admin ${adminUrl}`)
      }
    }
    console.log(`Ready: ${baseUrl}`)
    await told
  } finally {
    console.log('Stopping.')
    for (const stop of stops.reverse()) await stop()
  }
}

async function ready(url: string, target: string, child: ChildProcess): Promise<undefined> {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${target} did not become ready within 30 s.`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** Resolves to true when a signal asks for the end. */
function untilTold(): Promise<true> {
  const { promise, resolve } = Promise.withResolvers<true>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(true))
  return promise
}

await main()
