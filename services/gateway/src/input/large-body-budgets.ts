import { ByteBudget } from '@callboard/bus'

/** What large bodies of callers without a key may hold at once; the rest is left to callers with a known key. */
const WITHOUT_KEY_BYTES = 16_000_000
/** A network may hold at most this part of a budget, or one of the largest bodies: keys and addresses cost nothing. */
const NETWORK_PART = 4
const LARGEST_BODY_BYTES = 8_000_000

export interface LargeBody {
  readonly bytes: number
  readonly hasKey: boolean
  /** Where it comes from, in the form of `networkOf`. */
  readonly network: string
}

/** The memory of this process that large bodies hold until their requests are answered. */
export class LargeBodyBudgets {
  readonly #withKey: SharedBudget
  readonly #withoutKey = new SharedBudget(WITHOUT_KEY_BYTES)

  constructor(bytes: number) {
    this.#withKey = new SharedBudget(bytes)
  }

  /** @returns a function that returns the bytes, once; undefined if all, or this network alone, hold too much */
  take({ bytes, hasKey, network }: LargeBody): (() => void) | undefined {
    return (hasKey ? this.#withKey : this.#withoutKey).take(bytes, network)
  }
}

/** A budget that no single network can exhaust: a slow body holds its bytes for as long as a request may take. */
class SharedBudget {
  readonly #all: ByteBudget
  readonly #networkBytes: number
  readonly #held = new Map<string, number>()

  constructor(bytes: number) {
    this.#all = new ByteBudget(bytes)
    this.#networkBytes = Math.max(Math.floor(bytes / NETWORK_PART), LARGEST_BODY_BYTES)
  }

  take(bytes: number, network: string): (() => void) | undefined {
    const held = this.#held.get(network) ?? 0
    if (held + bytes > this.#networkBytes) return undefined
    const release = this.#all.take(bytes)
    if (!release) return undefined
    this.#held.set(network, held + bytes)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      release()
      const left = (this.#held.get(network) ?? 0) - bytes
      if (left > 0) this.#held.set(network, left)
      else this.#held.delete(network)
    }
  }
}
