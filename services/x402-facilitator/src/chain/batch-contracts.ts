import { artifacts, type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import { readingChain } from './chain-unavailable.ts'

/** How long to wait before an address with other code is checked again. */
const ASK_AGAIN_MS = 30_000

/**
 * The batch contract of each network, once its code was found to match ours byte for byte. A wrong address would waste
 * the gas of every batch. Where the code differs, payments are settled one by one, and the address is checked again
 * from time to time: the node may have been behind.
 */
export class BatchContracts {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #onOther: (network: Caip2, address: Address) => void
  readonly #found = new Map<Caip2, Promise<Address | undefined>>()
  /** When an address with other code may be checked again, by this process's clock. */
  readonly #again = new Map<Caip2, number>()

  /** @param onOther called each time an address is found to hold other code */
  constructor(chains: ChainSet, clients: ChainClients, onOther: (network: Caip2, address: Address) => void) {
    this.#chains = chains
    this.#clients = clients
    this.#onOther = onOther
  }

  /** @throws ChainUnavailable while the chain cannot be asked; the next call asks again */
  of(network: Caip2): Promise<Address | undefined> {
    const known = this.#found.get(network)
    if (known && (this.#again.get(network) ?? Number.POSITIVE_INFINITY) > performance.now()) return known
    if (this.#again.has(network)) this.#again.set(network, performance.now() + ASK_AGAIN_MS)
    const asked = this.#ask(network)
    this.#found.set(network, asked)
    asked.catch(() => this.#found.delete(network))
    return asked
  }

  async #ask(network: Caip2): Promise<Address | undefined> {
    const { settlementBatch } = chainOf(this.#chains, network)
    if (!settlementBatch) return undefined
    const code = await readingChain(network, clientOf(this.#clients, network).getCode({ address: settlementBatch }))
    if (code === artifacts.settlementBatch.deployedBytecode) {
      this.#again.delete(network)
      return settlementBatch
    }
    this.#again.set(network, performance.now() + ASK_AGAIN_MS)
    this.#onOther(network, settlementBatch)
    return undefined
  }
}
