import { type Chain, type ChainClients, type ChainSet, chainOf, clientOf } from '@callboard/evm'
import type { Caip2 } from '@callboard/values'
import { domainSeparator } from '@callboard/x402'
import { asking, unlessFailed } from './chain-away.ts'

/**
 * Whether a network's token is the one we sign and verify for: once per network and process, its chain id and
 * `DOMAIN_SEPARATOR()` are held against ours. A wrong name, version or RPC URL then refuses the network, not each payment.
 */
export class TokenChecks {
  readonly #chains: ChainSet
  readonly #clients: ChainClients
  readonly #refuse: (network: Caip2, found: string) => void
  readonly #verdicts = new Map<Caip2, Promise<boolean>>()
  readonly #refused = new Set<Caip2>()

  /** @param refuse told once of a network whose token is another one */
  constructor(chains: ChainSet, clients: ChainClients, refuse: (network: Caip2, found: string) => void) {
    this.#chains = chains
    this.#clients = clients
    this.#refuse = refuse
  }

  /** @throws ChainAway while the chain cannot be asked; the next call asks again */
  holds(network: Caip2): Promise<boolean> {
    const known = this.#verdicts.get(network)
    if (known) return known
    const asked = this.#ask(chainOf(this.#chains, network))
    this.#verdicts.set(network, asked)
    asked.catch(() => this.#verdicts.delete(network))
    return asked
  }

  /** True for a network that was asked and is not the one we know. */
  isRefused(network: Caip2): boolean {
    return this.#refused.has(network)
  }

  async #ask({ network, chainId, usdc }: Chain): Promise<boolean> {
    const client = clientOf(this.#clients, network)
    const { address, name, version } = usdc
    const [servedId, separator] = await asking(
      network,
      Promise.all([client.getChainId(), unlessFailed(client.call({ to: address, data: DOMAIN_SEPARATOR_SELECTOR }))]),
    )
    const ours = domainSeparator({ name, version, chainId, verifyingContract: address })
    if (servedId === chainId && separator?.data === ours) return true
    this.#refused.add(network)
    this.#refuse(network, `chain id ${servedId}, domain separator ${separator?.data ?? 'none'}`)
    return false
  }
}

/** Selector of `DOMAIN_SEPARATOR()`. */
const DOMAIN_SEPARATOR_SELECTOR = '0x3644e515'
