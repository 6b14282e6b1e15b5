import type { Caip2 } from '@callboard/values'

/** Whether an RPC endpoint serves the chain that it is configured for. */
export interface EndpointState {
  readonly network: Caip2
  /** Its position in the settings and its host, such as "2:rpc.example.org": URL paths contain providers' keys. */
  readonly endpoint: string
  /** `proven`: answers for this chain · `unproven`: not asked since it last failed · `foreign`: is another chain's. */
  readonly state: 'proven' | 'unproven' | 'foreign'
  /** The chain id that a foreign endpoint returned. */
  readonly chainId?: number
}

/** Thrown instead of every answer of an endpoint that belongs to another chain. */
export class ForeignChain extends Error {
  override readonly name = 'ForeignChain'

  constructor({ network, endpoint, chainId }: EndpointState) {
    super(`RPC endpoint ${endpoint} of ${network} is of chain id ${chainId} and is left out`)
  }
}

/** A proof is renewed after this time, since a host may switch to another chain without a failing request. */
const PROOF_HOLDS_MS = 60_000
/** A foreign endpoint is asked again after this time. */
const FOREIGN_HOLDS_MS = 5_000

/** The public label of an endpoint. */
export const endpointLabel = (place: number, url: string): string => `${place}:${new URL(url).host}`

/**
 * One RPC endpoint's proof that it answers for its chain: its `eth_chainId`, asked before the first request, again
 * after any request that failed on the way, and periodically. Until it is proven, none of its answers is used.
 */
export class ChainProof {
  readonly #chainId: number
  readonly #onChange: (state: EndpointState) => void
  #state: EndpointState
  #until = 0
  #asking: Promise<void> | undefined

  /** @param onChange receives each change, and first the unproven state */
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
   * @throws ForeignChain, and what `ask` throws
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

  /** The same, ignoring any earlier proof. @throws ForeignChain, and what `ask` throws */
  holdAnew(ask: () => Promise<unknown>): Promise<void> {
    this.#until = 0
    return this.hold(ask)
  }

  /** A request failed on the way: the next answer may come from another node. */
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
