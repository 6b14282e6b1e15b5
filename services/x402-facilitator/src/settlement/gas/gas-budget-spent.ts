import type { Scope } from '../../domain/gas-budget.ts'

/** Whose budget is spent, and when some of it is free again. */
export interface SpentBudget {
  readonly spent: Scope | 'payer'
  readonly retryAfterSeconds: number
}

/** Nothing was signed, because gas burned earlier leaves none for this payment. It may be presented again. */
export class GasBudgetSpent extends Error {
  override readonly name = 'GasBudgetSpent'
  readonly budget: SpentBudget

  constructor(budget: SpentBudget) {
    super(`the gas budget of the ${budget.spent} is spent`)
    this.budget = budget
  }
}
