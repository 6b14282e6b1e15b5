import { type ChainClients, clientOf } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import { readingChain } from '../../chain/chain-unavailable.ts'
import { raiseLane } from '../../store/lane.repository.ts'
import type { FacilitatorDb } from '../../store/tables.ts'

/**
 * Makes the lanes of a network known to the store: once per process each account's chain nonce is read, and a store that
 * is behind the chain is raised to it. From then on the store hands the nonces out.
 */
export class LaneBook {
  readonly #db: FacilitatorDb
  readonly #clients: ChainClients
  readonly #addresses: readonly Address[]
  readonly #known = new Map<Caip2, Promise<void>>()

  constructor(db: FacilitatorDb, clients: ChainClients, addresses: readonly Address[]) {
    this.#db = db
    this.#clients = clients
    this.#addresses = addresses
  }

  /** @throws ChainUnavailable while the chain cannot be asked */
  known(network: Caip2): Promise<void> {
    const known = this.#known.get(network) ?? this.#learn(network)
    this.#known.set(network, known)
    known.catch(() => this.#known.delete(network))
    return known
  }

  async #learn(network: Caip2): Promise<void> {
    const client = clientOf(this.#clients, network)
    const counts = await readingChain(
      network,
      Promise.all(
        this.#addresses.map(async (address) => ({
          address,
          count: await client.getTransactionCount({ address, blockTag: 'pending' }),
        })),
      ),
    )
    for (const { address, count } of counts) await raiseLane(this.#db, network, address, count)
  }
}
