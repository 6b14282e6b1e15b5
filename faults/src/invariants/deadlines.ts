import { deadlineOf, told } from '../load/requests.ts'
import { type Invariant, summary } from './invariant.ts'

/** No request takes longer than its operation allows, no matter what is unavailable. */
export const deadlines: Invariant = {
  name: 'no request is stuck beyond its deadline',
  broken: async ({ load }) =>
    summary(load.requests.sent.filter(({ operation, ms }) => ms > deadlineOf(operation)).map(told)),
}
