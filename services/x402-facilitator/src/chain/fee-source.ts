import { type Chain, type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import { type Fees, firstFees } from '../domain/fees.ts'
import { asking, ChainAway } from './chain-away.ts'

/** What a transaction costs now, and which of our accounts can pay it. */
export interface GasTerms extends Fees {
  readonly funded: readonly Address[]
}

export interface FeeLimits {
  /** Gas of one transaction. */
  readonly gas: bigint
  /** Most wei per gas, by network. */
  readonly cap: (chain: Chain) => bigint
  /** Told of every balance that is read, in wei. */
  readonly onBalance: (network: Caip2, lane: Address, wei: bigint) => void
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
    const needed = RESERVE * this.#limits.gas * fees.maxFeePerGas
    const funded = this.#lanes.filter((lane, index) => {
      const balance = balances[index] ?? 0n
      this.#limits.onBalance(network, lane, balance)
      return balance >= needed
    })
    if (funded.length === 0) throw new ChainAway(`no signing account can pay for gas on ${network}`)
    return { ...fees, funded }
  }
}
