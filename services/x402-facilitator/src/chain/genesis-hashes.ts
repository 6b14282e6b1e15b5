import { setTimeout as wait } from 'node:timers/promises'
import { type ChainClients, clientOf } from '@callboard/evm'
import { type Caip2, type Hex, SECOND_MS } from '@callboard/values'

/** How long an answer waits for a chain that has not been asked yet. */
const WITHIN_MS = SECOND_MS

/**
 * The hash of each chain's first block, which distinguishes chains with the same id: every devnet is `eip155:31337`
 * with the same contracts and accounts. Read once.
 */
export class GenesisHashes {
  readonly #clients: ChainClients
  readonly #known = new Map<Caip2, Hex>()

  constructor(clients: ChainClients) {
    this.#clients = clients
  }

  /** @returns undefined while the chain does not answer; the next call asks again */
  async of(network: Caip2): Promise<Hex | undefined> {
    const known = this.#known.get(network)
    if (known) return known
    const late = new AbortController()
    const asked = this.#ask(network).catch(() => undefined)
    const found = await Promise.race([
      asked,
      wait(WITHIN_MS, undefined, { signal: late.signal }).catch(() => undefined),
    ])
    late.abort()
    return found
  }

  async #ask(network: Caip2): Promise<Hex> {
    const { hash } = await clientOf(this.#clients, network).getBlock({ blockNumber: 0n })
    this.#known.set(network, hash)
    return hash
  }
}
