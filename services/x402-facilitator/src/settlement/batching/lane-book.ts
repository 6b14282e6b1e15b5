import { type ChainClients, clientOf } from '@callboard/evm'
import { derived } from '@callboard/runtime'
import type { Caip2 } from '@callboard/values'
import { countOfLane } from '../../chain/lane-count.ts'
import type { KeyRing } from '../../signers/key-ring.ts'
import { nextNonces, raiseLane } from '../../store/lane.repository.ts'
import type { FacilitatorDb } from '../../store/tables.ts'

/**
 * Registers the lanes of a network in the store: once per process and set of keys, each account's chain nonce is read,
 * and a store behind the chain is raised to it. From then on the store hands the nonces out.
 */
export class LaneBook {
  readonly #db: FacilitatorDb
  readonly #clients: ChainClients
  readonly #keys: Pick<KeyRing, 'open'>
  readonly #known: () => Map<Caip2, Promise<void>>

  constructor(db: FacilitatorDb, clients: ChainClients, keys: Pick<KeyRing, 'open'>) {
    this.#db = db
    this.#clients = clients
    this.#keys = keys
    this.#known = derived(
      () => keys.open(),
      () => new Map<Caip2, Promise<void>>(),
    )
  }

  /** @throws ChainUnavailable */
  known(network: Caip2): Promise<void> {
    const all = this.#known()
    const known = all.get(network) ?? this.#learn(network)
    all.set(network, known)
    known.catch(() => all.delete(network))
    return known
  }

  async #learn(network: Caip2): Promise<void> {
    const client = clientOf(this.#clients, network)
    const next = await nextNonces(this.#db, network)
    const counts = await Promise.all(
      this.#keys.open().map(async (address) => {
        const known = next.get(address) ?? 0
        return { address, count: await countOfLane(client, network, { address, blockTag: 'pending', known }) }
      }),
    )
    for (const { address, count } of counts) await raiseLane(this.#db, network, address, count)
  }
}
