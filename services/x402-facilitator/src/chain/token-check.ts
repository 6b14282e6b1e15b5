import { type Chain, type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Caip2 } from '@callboard/values'
import { domainSeparator } from '@callboard/x402'
import { readingChain, unlessFailed } from './chain-unavailable.ts'

/**
 * Whether a network's token is the one we sign and verify for: its chain id and `DOMAIN_SEPARATOR()` are compared with
 * ours. A wrong name, version or RPC URL thus disables the network instead of failing each payment. A positive verdict
 * holds for the process; after a negative one the chain is asked again, since the cause may be fixed.
 */
export class TokenChecks {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #refuse: (network: Caip2, found: string) => void
  readonly #verdicts = new Map<Caip2, Promise<boolean>>()
  /** When a refused network may be asked about again, by this process's clock. */
  readonly #refused = new Map<Caip2, number>()

  /** @param refuse called each time a network's token is found to be another one */
  constructor(chains: ChainSet, clients: ChainClients, refuse: (network: Caip2, found: string) => void) {
    this.#chains = chains
    this.#clients = clients
    this.#refuse = refuse
  }

  /** @throws ChainUnavailable while the chain cannot be asked; the next call asks again */
  holds(network: Caip2): Promise<boolean> {
    const known = this.#verdicts.get(network)
    if (known && (this.#refused.get(network) ?? Number.POSITIVE_INFINITY) > performance.now()) return known
    if (this.#refused.has(network)) this.#refused.set(network, performance.now() + ASK_AGAIN_MS)
    const asked = this.#ask(chainOf(this.#chains, network))
    this.#verdicts.set(network, asked)
    asked.catch(() => this.#verdicts.delete(network))
    return asked
  }

  /** Whether a network was asked and is not the one we know. Asks again in the background when that is due. */
  isRefused(network: Caip2): boolean {
    const until = this.#refused.get(network)
    if (until !== undefined && until <= performance.now()) this.holds(network).catch(() => {})
    return until !== undefined
  }

  async #ask({ network, chainId, usdc }: Chain): Promise<boolean> {
    const client = clientOf(this.#clients, network)
    const { address, name, version } = usdc
    const [servedId, separator] = await readingChain(
      network,
      Promise.all([client.getChainId(), unlessFailed(client.call({ to: address, data: DOMAIN_SEPARATOR_SELECTOR }))]),
    )
    const ours = domainSeparator({ name, version, chainId, verifyingContract: address })
    if (servedId === chainId && separator?.data === ours) {
      this.#refused.delete(network)
      return true
    }
    this.#refused.set(network, performance.now() + ASK_AGAIN_MS)
    this.#refuse(network, `chain id ${servedId}, domain separator ${separator?.data ?? 'none'}`)
    return false
  }
}

/** How long to wait before a refused network is asked about again. */
const ASK_AGAIN_MS = 15_000

/** Selector of `DOMAIN_SEPARATOR()`. */
const DOMAIN_SEPARATOR_SELECTOR = '0x3644e515'
