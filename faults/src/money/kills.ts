import { setTimeout as wait } from 'node:timers/promises'
import type { Member } from '@callboard/tools/cluster'
import type { Random } from '../random.ts'
import type { MoneyWorld } from './world.ts'

/** A fault of a server during the walk. */
type ServerFault = readonly [name: string, inject: (world: MoneyWorld, random: Random) => Promise<unknown>]

const PAUSE_MS = { least: 300, more: 900 }
const pause = (random: Random): Promise<void> => wait(PAUSE_MS.least + random.below(PAUSE_MS.more))

const POSTGRES = 'Postgres'
const SERVER_FAULTS: readonly ServerFault[] = [
  ['NATS kill -9', ({ cluster: { nats } }) => nats.kill().then(() => nats.again())],
  ['NATS paused', async ({ cluster: { nats } }, random) => paused(nats, random)],
  ['Redis kill -9', ({ cluster: { redis } }) => redis.kill().then(() => redis.again())],
  ['Redis paused', async ({ cluster: { redis } }, random) => paused(redis, random)],
  [`${POSTGRES} restarted`, ({ cluster: { postgres } }) => postgres.stop().then(() => postgres.again())],
  [`${POSTGRES} kill -9`, ({ cluster: { postgres } }) => postgres.kill().then(() => postgres.again())],
  [`${POSTGRES} paused`, async ({ cluster: { postgres } }, random) => paused(postgres, random)],
]

async function paused(server: { pause(): void; resume(): void }, random: Random): Promise<void> {
  server.pause()
  await pause(random)
  server.resume()
}

/** A time when something was down; `performance.now()`. */
interface Window {
  readonly from: number
  readonly to: number
}

export interface KillsOptions {
  readonly random: Random
  /** Ends the killing. */
  readonly over: AbortSignal
  /** The time between two kills, at least and at most. */
  readonly everyMs: readonly [least: number, most: number]
  /** The most processes to kill; no limit when absent. */
  readonly atMost?: number | undefined
  /** The number of server faults during the walk. */
  readonly serverFaults: number
  /** The progress of the walk, from 0 to 1. */
  readonly progress: () => number
  readonly log: (line: string) => unknown
}

/** What was killed, and what was down meanwhile. */
export class Kills {
  /** Number of faults, by kind. */
  readonly done = new Map<string, number>()
  readonly #postgres: Window[] = []
  readonly #starting = new Map<Member, Promise<void>>()
  readonly #failed: string[] = []

  /** Kills of processes; faults of servers are counted separately. */
  processes = 0

  /** Whether Postgres had a fault at some time between two moments. */
  hadNoPostgres(from: number, to: number): boolean {
    return this.#postgres.some((window) => window.from <= to && from <= window.to)
  }

  /** Processes that did not start again. */
  get failed(): readonly string[] {
    return this.#failed
  }

  /** Kills processes until stopped; then every killed process is started again. */
  async run(world: MoneyWorld, options: KillsOptions): Promise<void> {
    const { random, over, everyMs, progress } = options
    const [least, most] = everyMs
    const servers = random.shuffled(SERVER_FAULTS)
    let next = 0
    while (!over.aborted) {
      await wait(least + random.below(most - least))
      if (over.aborted) break
      if (next < options.serverFaults && progress() >= (next + 1) / (options.serverFaults + 1)) {
        const fault = servers[next % servers.length]
        next += 1
        if (fault) await this.#trouble(world, fault, options)
      } else if (this.processes < (options.atMost ?? Infinity)) this.#killOne(world, options)
    }
    await Promise.all(this.#starting.values())
  }

  async #trouble(world: MoneyWorld, [name, inject]: ServerFault, { random, log }: KillsOptions): Promise<void> {
    log(`fault: ${name}`)
    this.#count(name)
    const from = performance.now()
    await inject(world, random)
    if (name.startsWith(POSTGRES)) this.#postgres.push({ from, to: performance.now() + RECONNECTED_MS })
  }

  /** Kills a Router or gateway, once the previously killed one of its kind is back. */
  #killOne({ cluster }: MoneyWorld, { random, log }: KillsOptions): void {
    const target = random.pick(['router', 'router', 'gateway'])
    const ready = cluster.of(target).filter((member) => member.ready && !this.#starting.has(member))
    if (ready.length < cluster.of(target).length) return
    const member = random.pick(ready)
    log(`kill -9 of ${target} ${member.pid}`)
    this.#count(`${target} kill -9`)
    this.processes += 1
    this.#starting.set(member, this.#again(member))
  }

  async #again(member: Member): Promise<void> {
    try {
      await member.end('SIGKILL')
      await member.start()
    } catch (error) {
      this.#failed.push(error instanceof Error ? error.message : String(error))
    } finally {
      this.#starting.delete(member)
    }
  }

  #count(name: string): void {
    this.done.set(name, (this.done.get(name) ?? 0) + 1)
  }
}

/** By then every pool has new connections to the recovered Postgres. */
const RECONNECTED_MS = 2_000
