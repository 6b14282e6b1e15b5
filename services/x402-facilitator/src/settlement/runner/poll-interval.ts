import { setTimeout as wait } from 'node:timers/promises'
import { type ChainSet, chainOf } from '@callboard/evm'
import type { Caip2 } from '@callboard/values'

const POLLS_PER_BLOCK = 5
const SHORTEST_MS = 50
const LONGEST_MS = 400

/**
 * When waiting payments ask their chain again. All that wait on one network wake at once, so that their questions travel as
 * one JSON-RPC batch.
 */
export class PollIntervals {
  readonly #chains: ChainSet
  readonly #coming = new Map<Caip2, Promise<void>>()

  constructor(chains: ChainSet) {
    this.#chains = chains
  }

  next(network: Caip2): Promise<void> {
    const coming = this.#coming.get(network) ?? this.#start(network)
    this.#coming.set(network, coming)
    return coming
  }

  async #start(network: Caip2): Promise<void> {
    const { blockTimeMs } = chainOf(this.#chains, network)
    await wait(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, blockTimeMs / POLLS_PER_BLOCK)))
    this.#coming.delete(network)
  }
}
