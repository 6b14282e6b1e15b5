import type { Logger } from '@callboard/runtime'
import type { Caip2 } from '@callboard/values'
import type { Meters } from '../../meters.ts'
import type { SpentBudget } from './gas-budget-spent.ts'

/**
 * Shows the operator which gas budgets are spent: each refused payment is counted, and a budget is logged once until
 * some of it is free again, regardless of how many payments it refuses.
 */
export class SpentBudgets {
  readonly #log: Logger
  readonly #meters: Meters
  readonly #loggedUntil = new Map<string, number>()

  constructor(log: Logger, meters: Meters) {
    this.#log = log
    this.#meters = meters
  }

  /** @param key of the payment that was refused */
  note(network: Caip2, key: string, { spent, retryAfterSeconds }: SpentBudget): void {
    this.#meters.gasRefused.inc({ network, scope: spent })
    const now = performance.now()
    const entry = `${network} ${spent}`
    if ((this.#loggedUntil.get(entry) ?? 0) > now) return
    this.#loggedUntil.set(entry, now + retryAfterSeconds * 1_000)
    this.#log.warn({ network, scope: spent, key, retryAfterSeconds }, 'a gas budget is spent, and payments are refused')
  }
}
