import type { Caip2 } from '@callboard/values'

/** How an RPC endpoint stands to the chain that it is set down for. */
export interface EndpointState {
  readonly network: Caip2
  /** Its place in the settings and its host, such as "2:rpc.example.org": keys of providers stand in paths. */
  readonly endpoint: string
  /** `proven` it answers for this chain · `unproven` it was not asked since it last failed · `foreign` it is another chain's. */
  readonly state: 'proven' | 'unproven' | 'foreign'
  /** The chain id that a foreign endpoint gave. */
  readonly chainId?: number
}

/** Thrown in place of every answer of an endpoint that belongs to another chain. */
export class ForeignChain extends Error {
  override readonly name = 'ForeignChain'

  constructor({ network, endpoint, chainId }: EndpointState) {
    super(`RPC endpoint ${endpoint} of ${network} is of chain id ${chainId} and is left out`)
  }
}

/** A proof is renewed after so long, for a host may be put before another chain without a request failing. */
const PROOF_HOLDS_MS = 60_000
/** A foreign endpoint is asked again after so long. */
const FOREIGN_HOLDS_MS = 5_000

/** What may be shown of an endpoint. */
export const endpointLabel = (place: number, url: string): string => `${place}:${new URL(url).host}`

/**
 * One RPC endpoint's proof that it answers for its chain: its `eth_chainId`, asked before the first request, again after
 * any request that failed on the way, and from time to time. Until then nothing it says is used.
 */
export class ChainProof {
  readonly #chainId: number
  readonly #onChange: (state: EndpointState) => void
  #state: EndpointState
  #until = 0
  #asking: Promise<void> | undefined

  /** @param onChange gets each change, and at first that nothing is proven */
  constructor(
    { network, chainId, endpoint }: { readonly network: Caip2; readonly chainId: number; readonly endpoint: string },
    onChange: (state: EndpointState) => void = () => {},
  ) {
    this.#chainId = chainId
    this.#onChange = onChange
    this.#state = { network, endpoint, state: 'unproven' }
    onChange(this.#state)
  }

  /**
   * Resolves once the endpoint is proven.
   * @param ask sends `eth_chainId` to it; a failure proves nothing
   * @throws ForeignChain, and what asking throws
   */
  async hold(ask: () => Promise<unknown>): Promise<void> {
    if (performance.now() >= this.#until) {
      this.#asking ??= this.#prove(ask).finally(() => {
        this.#asking = undefined
      })
      await this.#asking
    }
    if (this.#state.state === 'foreign') throw new ForeignChain(this.#state)
  }

  /** The same, whatever was proven before: for what must not rest on an old proof. @throws ForeignChain, and what asking throws */
  holdAnew(ask: () => Promise<unknown>): Promise<void> {
    this.#until = 0
    return this.hold(ask)
  }

  /** A request failed on the way: whatever answers next may be another node. */
  lost(): void {
    if (this.#state.state !== 'proven') return
    this.#until = 0
    this.#become({ state: 'unproven' })
  }

  async #prove(ask: () => Promise<unknown>): Promise<void> {
    const answer = await ask()
    const chainId = typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer) ? Number(answer) : Number.NaN
    const isOurs = chainId === this.#chainId
    this.#until = performance.now() + (isOurs ? PROOF_HOLDS_MS : FOREIGN_HOLDS_MS)
    this.#become(isOurs ? { state: 'proven' } : { state: 'foreign', chainId })
  }

  #become(change: Pick<EndpointState, 'state' | 'chainId'>): void {
    const { network, endpoint, state, chainId } = this.#state
    this.#state = { network, endpoint, ...change }
    if (state !== change.state || chainId !== change.chainId) this.#onChange(this.#state)
  }
}
