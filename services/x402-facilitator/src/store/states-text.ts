import { SqlText } from '@callboard/store'
import type { State } from '../domain/payment-state.ts'

/** States as constants of a statement: an index on some states serves a statement that names them, not one that is given them. */
export const statesText = (states: readonly State[]): SqlText =>
  new SqlText(states.map((state) => `'${state}'`).join(', '))
