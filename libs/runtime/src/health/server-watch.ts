import { aside } from '@callboard/store'
import { reasonOf } from '../reason-of.ts'

/** A server that a process depends on, and how to check that it answers. */
export interface WatchedServer {
  readonly server: 'postgres' | 'nats' | 'redis'
  /** Rejects when the server is known to be unreachable; may hang while that is unknown. */
  readonly ask: () => Promise<unknown>
}

/** The result of one check of a server. */
export interface ServerState {
  readonly server: WatchedServer['server']
  /** How long its answer took; absent when there was none. */
  readonly seconds?: number
  /** Why there was no answer. */
  readonly problem?: string
}

/** The longest that a check waits: less than a probe of Kubernetes or a balancer. */
const PATIENCE_MS = 1_500

/**
 * Checks whether each server answers. Concurrent checks share one request, and a server with an unanswered request gets
 * no second one: it counts as not answering for as long as that is open.
 */
export class ServerWatch {
  readonly #servers: readonly WatchedServer[]
  readonly #patienceMs: number
  readonly #asked = new Map<string, Promise<ServerState>>()

  constructor(servers: readonly WatchedServer[], patienceMs: number = PATIENCE_MS) {
    this.#servers = servers
    this.#patienceMs = patienceMs
  }

  look(): Promise<readonly ServerState[]> {
    return Promise.all(this.#servers.map((one) => this.#within(one)))
  }

  async #within(one: WatchedServer): Promise<ServerState> {
    const late = Promise.withResolvers<ServerState>()
    const problem = `no answer within ${this.#patienceMs / 1000} s`
    const timer = setTimeout(() => late.resolve({ server: one.server, problem }), this.#patienceMs)
    const state = await Promise.race([this.#open(one), late.promise])
    clearTimeout(timer)
    return state
  }

  /** The open request, or a new one. */
  #open(one: WatchedServer): Promise<ServerState> {
    const open = this.#asked.get(one.server)
    if (open) return open
    const asked = answerOf(one).finally(() => this.#asked.delete(one.server))
    this.#asked.set(one.server, asked)
    return asked
  }
}

async function answerOf({ server, ask }: WatchedServer): Promise<ServerState> {
  const askedAt = performance.now()
  try {
    await aside(ask)
    return { server, seconds: (performance.now() - askedAt) / 1000 }
  } catch (error) {
    return { server, problem: reasonOf(error) }
  }
}
