import type { NetworkHealth } from '@callboard/contract'
import type { Caip2 } from '@callboard/values'
import { ChainUnavailable } from './chain-unavailable.ts'
import type { FeeSource } from './fee-source.ts'
import type { TokenChecks } from './token-check.ts'

/** A result is shared by all callers that ask within this time. */
const KEPT_MS = 2_000
/** A chain that does not answer within this time is unavailable. */
const PATIENCE_MS = 3_000

/** Whether each network can be settled on now: its node answers, its token is ours, and one of our accounts has gas. */
export class NetworksHealth {
  readonly #networks: readonly Caip2[]
  readonly #tokens: TokenChecks
  readonly #fees: FeeSource
  #kept: { until: number; networks: Promise<NetworkHealth[]> } | undefined

  constructor(networks: readonly Caip2[], tokens: TokenChecks, fees: FeeSource) {
    this.#networks = networks
    this.#tokens = tokens
    this.#fees = fees
  }

  look(): Promise<NetworkHealth[]> {
    if (this.#kept && this.#kept.until > performance.now()) return this.#kept.networks
    const networks = Promise.all(this.#networks.map((network) => this.#lookAt(network)))
    this.#kept = { until: performance.now() + KEPT_MS, networks }
    networks.catch(() => {
      this.#kept = undefined
    })
    return networks
  }

  async #lookAt(network: Caip2): Promise<NetworkHealth> {
    const impatience = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => impatience.reject(new ChainUnavailable(`${network} did not answer in time`)),
      PATIENCE_MS,
    )
    try {
      const asked = Promise.all([this.#tokens.holds(network), this.#fees.terms(network)])
      const [holds] = await Promise.race([asked, impatience.promise])
      if (holds) return { network, canSettle: true }
      return { network, canSettle: false, reason: 'its token or chain id is not the one we know' }
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      return { network, canSettle: false, reason: error.message }
    } finally {
      clearTimeout(timer)
    }
  }
}
