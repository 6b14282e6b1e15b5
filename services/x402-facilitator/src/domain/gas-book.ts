import {
  type Account,
  accountKey,
  accountsOf,
  type GasRules,
  type GasUser,
  limitsOf,
  type Scope,
} from './gas-budget.ts'

/** What an account has used. */
export interface GasUse {
  readonly hour: { readonly spent: number; readonly wasted: number }
  readonly day: { readonly spent: number; readonly wasted: number }
  /** Reserved for transactions on their way: all gas, and the part that new payers may waste. */
  readonly inFlight: { readonly spent: number; readonly wasted: number }
}

const NOTHING: GasUse = {
  hour: { spent: 0, wasted: 0 },
  day: { spent: 0, wasted: 0 },
  inFlight: { spent: 0, wasted: 0 },
}

/** `free`: gas is available · `busy`: available once payments on their way end · or the scope whose budget is spent. */
export type GasVerdict = { readonly kind: 'free' | 'busy' } | { readonly kind: 'spent'; readonly scope: Scope }

/**
 * The gas budgets at the moment of signing: what was used, and what the payments signed now reserve. Each payment
 * reserves the most that it may burn, so the budgets hold regardless of what the transactions do.
 */
export class GasBook {
  readonly #rules: GasRules
  readonly #used: ReadonlyMap<string, GasUse>
  readonly #reserved = new Map<string, { spent: number; wasted: number }>()

  /** @param used by `accountKey` */
  constructor(rules: GasRules, used: ReadonlyMap<string, GasUse>) {
    this.#rules = rules
    this.#used = used
  }

  /** Whether a payment may use this much gas. */
  judge(user: GasUser, gas: number): GasVerdict {
    const { budget, shares } = this.#rules
    let isBusy = false
    for (const { measure, percent, ...account } of limitsOf(user, shares)) {
      const used = this.#useOf(account)
      for (const window of ['hour', 'day'] as const) {
        const limit = (budget[window] * percent) / 100
        const wanted = used[window][measure] + gas
        if (wanted > limit) return { kind: 'spent', scope: account.scope }
        if (wanted + used.inFlight[measure] > limit) isBusy = true
      }
    }
    return { kind: isBusy ? 'busy' : 'free' }
  }

  reserve(user: GasUser, gas: number): void {
    for (const account of accountsOf(user)) {
      const key = accountKey(account)
      const { spent = 0, wasted = 0 } = this.#reserved.get(key) ?? {}
      this.#reserved.set(key, { spent: spent + gas, wasted: wasted + (user.newPayer ? gas : 0) })
    }
  }

  #useOf(account: Account): GasUse {
    const key = accountKey(account)
    const { inFlight, ...used } = this.#used.get(key) ?? NOTHING
    const { spent = 0, wasted = 0 } = this.#reserved.get(key) ?? {}
    return { ...used, inFlight: { spent: inFlight.spent + spent, wasted: inFlight.wasted + wasted } }
  }
}
