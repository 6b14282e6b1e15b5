import type { InvokedCall } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { checkSummaryOf, type EndpointCheck, isPayable, isPriced } from '../check-summary.ts'
import type { Listed, ListedSnapshot } from '../listed.ts'
import { contractParts, type OperationFacts, requestContracts } from './request-contract.ts'

/** What is known of the call in addition to its listing. */
export interface CallFacts extends Omit<OperationFacts, 'slug'> {
  readonly check: EndpointCheck | undefined
}

/** One call of a listing. */
export function invokedCall(
  { snapshot, liveness }: Listed<ListedSnapshot>,
  operation: ListedSnapshot['operations'][number],
  { check, ...facts }: CallFacts,
): InvokedCall {
  const { slug, name, description, group, verification } = snapshot
  const { mpp, conformance } = checkSummaryOf({ ...snapshot, operations: [operation] }, check ? [check] : [])
  const rest: Omit<InvokedCall, 'request'> = {
    listing: { id: slug, name, description, group, verified: verification === 'verified', verification },
    description: operation.description,
    payable: isPriced(operation) && isPayable(operation, mpp.length > 0),
    problem: operation.problem ?? null,
    check: check
      ? {
          state: check.state,
          checkedAt: isoTime(check.checkedAt.getTime()),
          okAt: check.okAt && isoTime(check.okAt.getTime()),
        }
      : null,
    liveness,
    issues: conformance.issues,
  }
  const [request] = requestContracts([contractParts(operation, { slug, ...facts })], rest)
  return { ...rest, request: request as InvokedCall['request'] }
}
