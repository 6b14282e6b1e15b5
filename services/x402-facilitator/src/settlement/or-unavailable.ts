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
  payer: 'Too many payments of this payer came to nothing within the hour, or too many of them are waiting.',
  payee: 'The gas budget for payments to this payee without a key or a listing is used up.',
  requester:
    'The gas budget for payments requested from your network is used up, too many of them are waiting, or others submitted too many of them.',
  owner: 'The gas budget for payments with the keys of your account is used up.',
} as const

/** A party is told what it has used up; a budget that all have used up together is our shortage. */
function overBudget({ spent, retryAfterSeconds }: SpentBudget): NotNow {
  if (spent === 'chain' || spent === 'new_payers' || spent === 'new_contracts') {
    return refuse('temporarily_unavailable', {
      message: 'The gas for payments of this kind is used up for now. Nothing was sent. Ask again.',
      details: { scope: spent },
      retryAfterSeconds,
    })
  }
  const message = `${WHOSE[spent]} Nothing was sent. Ask again later.`
  return refuse('gas_budget_spent', { message, details: { scope: spent }, retryAfterSeconds })
}
