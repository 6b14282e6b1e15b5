import { ByteBudget } from '@callboard/bus'

/** What larger bodies of callers without a key may hold at once: they leave the rest to those whose key is known. */
const WITHOUT_KEY_BYTES = 16_000_000

/** What large bodies hold of the memory of this process until their requests are answered. */
export class LargeBodyBudgets {
  readonly #withKey: ByteBudget
  readonly #withoutKey = new ByteBudget(WITHOUT_KEY_BYTES)

  constructor(bytes: number) {
    this.#withKey = new ByteBudget(bytes)
  }

  take(bytes: number, { hasKey }: { readonly hasKey: boolean }): (() => void) | undefined {
    return (hasKey ? this.#withKey : this.#withoutKey).take(bytes)
  }
}
