import { artifacts, type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import { readingChain } from './chain-unavailable.ts'

/** An address with other code is looked at again after so long. */
const ASK_AGAIN_MS = 30_000

/**
 * The batch contract of each network, once its code was found to be ours, byte for byte. A wrong address would burn the
 * gas of every batch; where the code is another one, payments are settled each alone, and it is
 * looked at again now and then: the node may have been behind.
 */
export class BatchContracts {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #onOther: (network: Caip2, address: Address) => void
  readonly #found = new Map<Caip2, Promise<Address | undefined>>()
  /** When an address with other code may be looked at again, by the process's own clock. */
  readonly #again = new Map<Caip2, number>()

  /** @param onOther called each time with an address that holds other code */
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
