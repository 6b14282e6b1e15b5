import { type Chain, type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import { gasOfLeg } from '../domain/batch-gas.ts'
import { type DataFee, type Fees, firstFees, NO_DATA_FEE, payableGas } from '../domain/fees.ts'
import type { KeyRing } from '../signers/key-ring.ts'
import { ChainUnavailable, NoGas, readingChain } from './chain-unavailable.ts'
import { hasDataFee, readDataFee } from './data-fee.ts'

/** What a transaction costs now, and which of our accounts can pay how much of it. */
export interface GasTerms extends Fees {
  /** What the bytes of a transaction cost on top of its gas. */
  readonly dataFee: DataFee
  /** The accounts that can pay for a transfer, each with the most gas it can pay for in one transaction. */
  readonly funded: ReadonlyMap<Address, bigint>
}

export interface FeeLimits {
  /** Gas of one transfer. */
  readonly gas: bigint
  /** Gas of one leg of a batch. */
  readonly legGas: bigint
  /** Most wei per gas, by network. */
  readonly cap: (chain: Chain) => bigint
  /** Called when no account of a network can pay, at most once every 30 seconds. */
  readonly noGas: (network: Caip2) => void
}

/** Fees and balances are read at most once in this time, regardless of load. */
const KEPT_MS = 1_500
/** Older terms still serve during renewal: a base fee rises by 1/8 per block (EIP-1559), and we offer twice as much. */
const STALE_BLOCKS = 5
/** An account must be able to pay for this many transactions before it gets the next one. */
const RESERVE = 3n
const WARN_EVERY_MS = 30_000

interface Kept {
  readonly askedAt: number
  readonly terms: Promise<GasTerms>
}

/** The gas terms of each network, shared by all payments of a moment. */
export class FeeSource {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #keys: Pick<KeyRing, 'open' | 'ready'>
  readonly #limits: FeeLimits
  readonly #kept = new Map<Caip2, Kept>()
  readonly #asking = new Map<Caip2, Promise<GasTerms>>()
  readonly #hasDataFee = new Map<Caip2, boolean>()
  /** The accounts that could pay when balances were last read. */
  readonly #able = new Map<Caip2, readonly Address[]>()
  readonly #warnedAt = new Map<Caip2, number>()
  #turn = 0

  constructor(chains: ChainSet, clients: ChainClients, keys: Pick<KeyRing, 'open' | 'ready'>, limits: FeeLimits) {
    this.#chains = chains
    this.#clients = clients
    this.#keys = keys
    this.#limits = limits
  }

  /** @throws NoGas when no account can pay, ChainUnavailable when the chain does not answer or exceeds the cap */
  terms(network: Caip2): Promise<GasTerms> {
    const chain = chainOf(this.#chains, network)
    const kept = this.#kept.get(network)
    const age = kept ? performance.now() - kept.askedAt : Number.POSITIVE_INFINITY
    if (kept && age < KEPT_MS) return kept.terms
    const asked = this.#asking.get(network) ?? this.#renew(chain)
    return kept && age < STALE_BLOCKS * chain.blockTimeMs ? kept.terms : asked
  }

  /** Fetches the terms while a payment is being verified, so that they are ready when it is settled. */
  expect(network: Caip2): void {
    this.terms(network).catch(() => {})
  }

  #renew(chain: Chain): Promise<GasTerms> {
    const { network } = chain
    const askedAt = performance.now()
    const terms = this.#ask(chain).finally(() => this.#asking.delete(network))
    this.#asking.set(network, terms)
    terms.then(
      () => this.#kept.set(network, { askedAt, terms }),
      () => this.#kept.delete(network),
    )
    return terms
  }

  /** How many accounts can pay for a transfer now. @throws ChainUnavailable when the chain cannot be asked */
  async funded(network: Caip2): Promise<number> {
    try {
      return (await this.terms(network)).funded.size
    } catch (error) {
      if (error instanceof NoGas) return 0
      throw error
    }
  }

  /**
   * The account from which a transfer is simulated. It also sends the transfer where the payer's code could tell
   * accounts apart. It is chosen in turn from those that could pay at the last check and whose signer answers.
   */
  sender(network: Caip2): Address {
    const ready = this.#keys.ready()
    const able = (this.#able.get(network) ?? []).filter((lane) => ready.includes(lane))
    const from = able.length > 0 ? able : ready
    const sender = from[this.#turn++ % from.length]
    if (!sender) throw new Error('there is no signing account')
    return sender
  }

  async #ask(chain: Chain): Promise<GasTerms> {
    const { network, minMaxFeePerGas = 0n } = chain
    const client = clientOf(this.#clients, network)
    const lanes = this.#keys.open()
    const isRollup = this.#hasDataFee.get(network) ?? (await readingChain(network, hasDataFee(client)))
    this.#hasDataFee.set(network, isRollup)
    const [{ baseFeePerGas }, priorityFeePerGas, dataFee, ...balances] = await readingChain(
      network,
      Promise.all([
        client.getBlock({ blockTag: 'latest' }),
        client.request({ method: 'eth_maxPriorityFeePerGas' }).then(BigInt),
        isRollup ? readDataFee(client) : NO_DATA_FEE,
        ...lanes.map((address) => client.getBalance({ address })),
      ]),
    )
    const market = { baseFeePerGas: baseFeePerGas ?? 0n, priorityFeePerGas, minMaxFeePerGas }
    const fees = firstFees(market, this.#limits.cap(chain))
    if (!fees) {
      throw new ChainUnavailable(`${network} asks ${baseFeePerGas} wei per gas, more than the cap`, {
        publicMessage: `Gas on ${network} costs more now than this facilitator pays. Nothing was sent. Ask again.`,
      })
    }
    const funded = new Map<Address, bigint>()
    for (const [index, lane] of lanes.entries()) {
      const share = (balances[index] ?? 0n) / RESERVE
      const gas = payableGas(share, { ...fees, dataFee }, gasOfLeg(this.#limits.legGas))
      if (gas >= this.#limits.gas) funded.set(lane, gas)
    }
    this.#able.set(network, [...funded.keys()])
    if (funded.size === 0) {
      this.#warnOfNoGas(network)
      throw new NoGas(network)
    }
    return { ...fees, dataFee, funded }
  }

  #warnOfNoGas(network: Caip2): void {
    const now = performance.now()
    if (now - (this.#warnedAt.get(network) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_MS) return
    this.#warnedAt.set(network, now)
    this.#limits.noGas(network)
  }
}
