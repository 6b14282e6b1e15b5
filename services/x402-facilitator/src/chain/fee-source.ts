import { type Chain, type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import { type Fees, firstFees } from '../domain/fees.ts'
import { asking, ChainAway } from './chain-away.ts'

/** What a transaction costs now, and which of our accounts can pay how much of it. */
export interface GasTerms extends Fees {
  /** The accounts that can pay for a transfer, each with the most gas of one transaction that it can pay. */
  readonly funded: ReadonlyMap<Address, bigint>
}

export interface FeeLimits {
  /** Gas of one transfer. */
  readonly gas: bigint
  /** Most wei per gas, by network. */
  readonly cap: (chain: Chain) => bigint
}

/** Fees and balances are asked once per so long, whatever the load. */
const KEPT_MS = 1_500
/** An account must be able to pay so many transactions before it gets the next one. */
const RESERVE = 3n

/** The gas terms of each network, read once for all payments of a moment. */
export class FeeSource {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #lanes: readonly Address[]
  readonly #limits: FeeLimits
  readonly #kept = new Map<Caip2, { until: number; terms: Promise<GasTerms> }>()

  constructor(chains: ChainSet, clients: ChainClients, lanes: readonly Address[], limits: FeeLimits) {
    this.#chains = chains
    this.#clients = clients
    this.#lanes = lanes
    this.#limits = limits
  }

  /** @throws ChainAway when the chain cannot be asked, is dearer than the cap, or no account can pay */
  terms(network: Caip2): Promise<GasTerms> {
    const kept = this.#kept.get(network)
    if (kept && kept.until > performance.now()) return kept.terms
    const terms = this.#ask(chainOf(this.#chains, network))
    this.#kept.set(network, { until: performance.now() + KEPT_MS, terms })
    terms.catch(() => this.#kept.delete(network))
    return terms
  }

  async #ask(chain: Chain): Promise<GasTerms> {
    const { network, minMaxFeePerGas = 0n } = chain
    const client = clientOf(this.#clients, network)
    const [{ baseFeePerGas }, priorityFeePerGas, ...balances] = await asking(
      network,
      Promise.all([
        client.getBlock({ blockTag: 'latest' }),
        client.request({ method: 'eth_maxPriorityFeePerGas' }).then(BigInt),
        ...this.#lanes.map((address) => client.getBalance({ address })),
      ]),
    )
    const market = { baseFeePerGas: baseFeePerGas ?? 0n, priorityFeePerGas, minMaxFeePerGas }
    const fees = firstFees(market, this.#limits.cap(chain))
    if (!fees) throw new ChainAway(`${network} asks ${baseFeePerGas} wei per gas, more than the cap`)
    const funded = new Map<Address, bigint>()
    for (const [index, lane] of this.#lanes.entries()) {
      const balance = balances[index] ?? 0n
      const gas = balance / (RESERVE * (fees.maxFeePerGas || 1n))
      if (gas >= this.#limits.gas) funded.set(lane, gas)
    }
    if (funded.size === 0) throw new ChainAway(`no signing account can pay for gas on ${network}`)
    return { ...fees, funded }
  }
}
