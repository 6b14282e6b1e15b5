import type { Behaviour, Surface } from './cells.ts'

/** A key of a gateway, which may spend so much. */
export interface BudgetKey {
  readonly headers: Readonly<Record<string, string>>
  /** What the gateway says was spent, once nothing of the key is under way, in nano-USD. @throws Error with the reason why it cannot say */
  spent(): Promise<bigint>
}

/** A gateway as the board sees it: HTTP, and how its operator makes keys and reads what they spent. */
export interface BoardGateway {
  readonly name: string
  /** Without a path. */
  readonly baseUrl: string
  /** What the model of a call is named there. */
  modelFor(surface: Surface, behaviour: Behaviour): string
  /** A key whose budget is {@link BUDGET_USD}. */
  makeKey(): Promise<BudgetKey>
  /** Whether an answer says that the budget does not cover the call. */
  isRefusal(status: number, text: string): boolean
  stop(): Promise<void>
}
