import { artifacts, type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import { asking } from './chain-away.ts'

/**
 * The batch contract of each network, once its code was found to be ours, byte for byte. A wrong address would burn the
 * gas of every batch; where the code is another one, payments are settled each alone.
 */
export class BatchContracts {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #onOther: (network: Caip2, address: Address) => void
  readonly #found = new Map<Caip2, Promise<Address | undefined>>()

  /** @param onOther told once of an address that holds other code */
  constructor(chains: ChainSet, clients: ChainClients, onOther: (network: Caip2, address: Address) => void) {
    this.#chains = chains
    this.#clients = clients
    this.#onOther = onOther
  }

  /** @throws ChainAway while the chain cannot be asked; the next call asks again */
  of(network: Caip2): Promise<Address | undefined> {
    const known = this.#found.get(network)
    if (known) return known
    const asked = this.#ask(network)
    this.#found.set(network, asked)
    asked.catch(() => this.#found.delete(network))
    return asked
  }

  async #ask(network: Caip2): Promise<Address | undefined> {
    const { settlementBatch } = chainOf(this.#chains, network)
    if (!settlementBatch) return undefined
    const code = await asking(network, clientOf(this.#clients, network).getCode({ address: settlementBatch }))
    if (code === artifacts.settlementBatch.deployedBytecode) return settlementBatch
    this.#onOther(network, settlementBatch)
    return undefined
  }
}
