import type { Behaviour, Surface } from './cells.ts'

/** A key of a gateway with a budget. */
export interface BudgetKey {
  readonly headers: Readonly<Record<string, string>>
  /** What the gateway says was spent, in nano-USD, once no call of the key is open. @throws Error that says why not */
  spent(): Promise<bigint>
}

/** A gateway as the board sees it: HTTP, and how its operator creates keys and reads their spending. */
export interface BoardGateway {
  readonly name: string
  /** Without a path. */
  readonly baseUrl: string
  /** The gateway's name for the model of a call. */
  modelFor(surface: Surface, behaviour: Behaviour): string
  /** A key whose budget is {@link BUDGET_USD}. */
  makeKey(): Promise<BudgetKey>
  /** Whether an answer means that the budget does not cover the call. */
  isRefusal(status: number, text: string): boolean
  stop(): Promise<void>
}
