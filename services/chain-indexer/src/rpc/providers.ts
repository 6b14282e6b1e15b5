import { SECOND_MS } from '@callboard/values'
import type { Provider } from './provider.ts'
import type { ProviderError } from './provider-error.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30 * SECOND_MS
const LONGEST_RETRY_AFTER_MS = 600 * SECOND_MS

interface Health {
  failures: number
  /** On the monotonic clock, in milliseconds. */
  restsUntil: number
}

/**
 * The providers of one chain, and which of them may be asked. The one in use stays in use until it fails; one that
 * failed rests for as long as it asked, or else twice as long with every failure.
 */
export class Providers {
  readonly #all: readonly Provider[]
  readonly #health = new Map<Provider, Health>()
  #current: Provider | undefined

  /** @param all providers, the preferred one first */
  constructor(all: readonly Provider[]) {
    this.#all = all
  }

  /** Asks all of them for their chain id, so that a foreign one is known before it is needed. Never rejects. */
  async proveChains(signal: AbortSignal): Promise<void> {
    await Promise.allSettled(this.#all.map((provider) => provider.proveChain(signal)))
  }

  /** Those that may be asked now, the one in use first. */
  awake(): Provider[] {
    const awake = this.#all.filter((provider) => this.#restMs(provider) === 0)
    return awake.toSorted((a, b) => Number(b === this.#current) - Number(a === this.#current))
  }

  /** Whether there are several and the last request of one failed: it may know what the others do not say. */
  get isOneUnheard(): boolean {
    return this.areSeveral && this.#health.size > 0
  }

  /** Whether there are alternatives. */
  get areSeveral(): boolean {
    return this.#all.length > 1
  }

  /** Whether the preferred one is in use. */
  get usesPreferred(): boolean {
    return this.awake()[0] === this.#all[0]
  }

  /** Time until the first of them may be asked again; 0 when one may be asked now. */
  restMs(): number {
    return Math.min(...this.#all.map((provider) => this.#restMs(provider)))
  }

  /** Records that a step with this provider succeeded. */
  succeeded(provider: Provider): void {
    this.#current = provider
    this.#health.delete(provider)
  }

  failed(provider: Provider, { retryAfterMs }: ProviderError): void {
    if (this.#current === provider) this.#current = undefined
    const failures = (this.#health.get(provider)?.failures ?? 0) + 1
    const backOffMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10))
    const jittered = backOffMs * (0.75 + Math.random() / 2)
    const pauseMs = Math.min(retryAfterMs ?? jittered, LONGEST_RETRY_AFTER_MS)
    this.#health.set(provider, { failures, restsUntil: performance.now() + pauseMs })
  }

  #restMs(provider: Provider): number {
    return Math.max(0, (this.#health.get(provider)?.restsUntil ?? 0) - performance.now())
  }
}
