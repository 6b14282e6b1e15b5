import type { Journal } from './journal.ts'
import type { Requests } from './requests.ts'
import type { Stage } from './stage.ts'

/** What a worker of the load needs. */
export interface Shift {
  readonly stage: Stage
  readonly requests: Requests
  readonly journal: Journal
  readonly baseUrl: string
}
