import { type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Caip2 } from '@callboard/values'

const POLLS_PER_BLOCK = 5
const SHORTEST_MS = 50
const LONGEST_MS = 400

/**
 * When waiting payments ask their chain again: at the next head that an endpoint pushes, and at a fixed interval. All
 * that wait on one network wake together, so that their queries travel as one JSON-RPC batch.
 */
export class PollIntervals {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #coming = new Map<Caip2, Promise<void>>()
  /** The head count when payments were last woken: a head that came while they checked wakes them again at once. */
  readonly #seen = new Map<Caip2, { readonly count: number; readonly at: number }>()

  constructor(chains: ChainSet, clients: ChainClients) {
    this.#chains = chains
    this.#clients = clients
  }

  next(network: Caip2): Promise<void> {
    const coming = this.#coming.get(network) ?? this.#start(network)
    this.#coming.set(network, coming)
    return coming
  }

  async #start(network: Caip2): Promise<void> {
    const { blockTimeMs } = chainOf(this.#chains, network)
    const { heads } = clientOf(this.#clients, network)
    const pollMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, blockTimeMs / POLLS_PER_BLOCK))
    const woken = this.#seen.get(network)
    const isAtWork = woken && performance.now() - woken.at < LONGEST_MS
    await heads.after(isAtWork ? woken.count : heads.count, pollMs)
    this.#seen.set(network, { count: heads.count, at: performance.now() })
    this.#coming.delete(network)
  }
}
