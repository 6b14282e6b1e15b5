import { type Refusal, refuse } from '@callboard/values'
import { ChainUnavailable } from '../chain/chain-unavailable.ts'
import { GasBudgetSpent, type SpentBudget } from './gas/gas-budget-spent.ts'

const RETRY_AFTER_SECONDS = 2

type NotNow = Refusal<'temporarily_unavailable' | 'gas_budget_spent'>

/** Answers "ask again", neither valid nor invalid, while a chain is unavailable or a gas budget is spent. */
export async function orNotNow<T>(work: Promise<T>): Promise<T | NotNow> {
  try {
    return await work
  } catch (error) {
    if (error instanceof GasBudgetSpent) return overBudget(error.budget)
    if (!(error instanceof ChainUnavailable)) throw error
    return unavailable(error)
  }
}

/** The same for work that spends no gas. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T | Refusal<'temporarily_unavailable'>> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    return unavailable(error)
  }
}

const unavailable = ({ publicMessage }: ChainUnavailable) =>
  refuse('temporarily_unavailable', { message: publicMessage, retryAfterSeconds: RETRY_AFTER_SECONDS })

const WHOSE = {
  payer: 'Payments of this payer came to nothing too often within the hour, or too many of them wait.',
  payee: 'Payments to this payee, without a key or a listing, cost as much gas as they may.',
  requester: 'Payments that your network asked for cost as much gas as they may.',
  owner: 'Payments with the keys of your account cost as much gas as they may.',
} as const

/** A party is told what it has used up; a budget that all have used up together is our shortage. */
function overBudget({ spent, retryAfterSeconds }: SpentBudget): NotNow {
  if (spent === 'chain' || spent === 'new_payers' || spent === 'new_contracts') {
    return refuse('temporarily_unavailable', {
      message: 'The gas for payments of this kind is used up for now; nothing was sent. Ask again.',
      details: { scope: spent },
      retryAfterSeconds,
    })
  }
  const message = `${WHOSE[spent]} Nothing was sent; ask again later.`
  return refuse('gas_budget_spent', { message, details: { scope: spent }, retryAfterSeconds })
}
