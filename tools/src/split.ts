import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '@callboard/all'
import { startEmbeddedParts } from '@callboard/all/embedded'
import { freePort, requireFreePort } from '@callboard/embedded'
import { startNatsServer, startRedisServer } from '@callboard/testkit/servers'

const ROOT = join(import.meta.dirname, '../..')
/** All processes start at once, and share the machine's cores while they do. */
const READY_MS = 90_000
const MAIN = join(ROOT, 'services/all/src/main.ts')

/** One process of one service. */
interface Member {
  readonly target: string
  readonly child: ChildProcess
}

/**
 * `npm run dev:split`: every service in processes of its own, over a real nats-server with JetStream, Postgres and
 * Redis, behind one gateway port. `REPLICAS` says how many processes each service gets.
 */
async function main(): Promise<void> {
  const port = Number(process.env.PORT || 8402)
  const replicas = Number(process.env.REPLICAS || 1)
  const folder = join(ROOT, '.callboard-split')
  for (const name of ['nats', 'redis']) mkdirSync(join(folder, name), { recursive: true })
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
    const children: Member[] = []
    stops.push(() => endAll(children))
    const members = modules.flatMap(({ name: target }) => Array.from({ length: replicas }, () => target))
    const started = members.map(async (target) => {
      const adminUrl = `http://127.0.0.1:${await freePort()}`
      const child = spawn(process.execPath, [MAIN, '--no-demo'], {
        env: { ...env, TARGET: target, ADMIN_PORT: new URL(adminUrl).port },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      children.push({ target, child })
      await ready(`${adminUrl}/readyz`, target, child)
      console.log(`  ${target.padEnd(17)} pid ${child.pid}, admin ${adminUrl}`)
    })
    if (await Promise.race([Promise.all(started), told]).then((outcome) => outcome === true)) return
    console.log(`Ready: ${baseUrl}`)
    await told
  } finally {
    console.log('Stopping.')
    for (const stop of stops.reverse()) await stop()
  }
}

async function ready(url: string, target: string, child: ChildProcess): Promise<undefined> {
  const deadline = performance.now() + READY_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${target} did not become ready within ${READY_MS / 1000} s.`)
}

/** Ends those that call before those that are called. */
async function endAll(members: readonly Member[]): Promise<void> {
  for (const { name } of modules.toReversed()) {
    await Promise.all(members.filter(({ target }) => target === name).map(({ child }) => end(child)))
  }
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
