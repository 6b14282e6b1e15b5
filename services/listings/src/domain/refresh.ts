import { isDeepStrictEqual } from 'node:util'
import { acceptsOf, type Conformance, type ListingOperation, type ShownOffer } from '@callboard/contract'
import type { IsoTime } from '@callboard/values'
import {
  avoidsInWords,
  type Described,
  describedOf,
  isDescribedBySeller,
  type Probed,
  withinBounds,
} from './evidence.ts'
import { type Listing, operationKey } from './listing.ts'
import { offerAvoidingSplitter, offerToSplitter, paidBy, problemOf, type Terms } from './offer.ts'

/** The challenge of one endpoint. */
export interface Challenged {
  readonly method: ListingOperation['method']
  readonly url: string
  readonly accepts: readonly ShownOffer[]
  readonly conformance: Conformance | null
  readonly checkedAt: IsoTime
  /** What the probe found, in words; undefined if only the offer is known. */
  readonly found?: string | undefined
  /** What the endpoint says about itself; undefined if nothing new was read. */
  readonly described?: Described | undefined
}

export interface Refreshed {
  readonly listing: Pick<Listing, 'operations' | 'conformances'>
  /** Whether the public sees a difference; a newer `checkedAt` alone is none. */
  readonly changed: boolean
  /** Why the listing may not stay live, in words: an offer that bypasses its splitters. Undefined if it may. */
  readonly avoids?: string | undefined
}

/**
 * A live listing after an endpoint's challenge was read again: the current offer counts, not the recorded one. An offer
 * that no longer pays the splitter makes the operation not payable, with the reason; one that can be paid past the
 * listing's splitters takes the listing offline. A reading older than the recorded one changes nothing.
 */
export function refresh(listing: Listing, challenged: Challenged, terms: Terms): Refreshed {
  const at = listing.operations.findIndex((one) => operationKey(one) === operationKey(challenged))
  const before = listing.operations[at]
  const { operations: held, conformances: known } = listing
  const unchanged = { operations: held, conformances: known }
  if (!before || isOlder(challenged.checkedAt, readAt(before))) return { listing: unchanged, changed: false }

  const offer = offerToSplitter(challenged.accepts, terms)
  const avoiding = offerAvoidingSplitter(challenged.accepts, terms)
  const { problem: _, problemAt: __, ...kept } = before
  const operation = describedAnew(kept, challenged.described)
  const paid = offer
    ? paidBy(offer, terms, challenged.checkedAt)
    : {
        ...{ payment: null, price: null, problem: problemOf(challenged.accepts, terms, challenged.found) },
        problemAt: challenged.checkedAt,
      }
  const operations = withinBounds(listing.operations.with(at, { ...operation, ...paid }))
  const conformances = challenged.conformance
    ? { ...listing.conformances, [operationKey(before)]: noting(challenged.conformance, avoiding !== undefined) }
    : listing.conformances
  const after = operations[at] as ListingOperation
  const changed =
    before.price !== after.price ||
    before.payment?.maxTimeoutSeconds !== after.payment?.maxTimeoutSeconds ||
    before.problem !== after.problem ||
    !isDeepStrictEqual(wordsOf(before), wordsOf(after)) ||
    !sameConformance(mergedConformance(listing.conformances), mergedConformance(conformances))
  const avoids = avoiding && `${before.method} ${before.url}: ${avoidsInWords(avoiding, terms)}`
  return { listing: { operations, conformances }, changed, avoids }
}

/**
 * An operation with its endpoint's current description replacing the previous one. A challenge without a description
 * keeps what the origin's document said: that document is read only if a request is refused, which one made from it is
 * not.
 */
function describedAnew(operation: ListingOperation, described: Described | undefined): ListingOperation {
  if (!described) return operation
  const { inputSchema: _, inputExample: __, outputSchema: ___, ...rest } = operation
  const { metadataEvidence } = isDescribedBySeller(operation) ? described : operation
  const isDocumented = operation.metadataEvidence === 'openapi' && !isDescribedBySeller(described)
  const before = isDocumented ? operation : { ...rest, metadataEvidence }
  return { ...before, ...describedOf(described, operation.describedBy) }
}

const wordsOf = ({ description, inputSchema, inputExample, outputSchema, metadataEvidence }: ListingOperation) =>
  [description, inputSchema, inputExample, outputSchema, metadataEvidence] as const

/** A listing after all its endpoints were probed; those without a challenge keep what was recorded. */
export function refreshAll(listing: Listing, probed: readonly Probed<ListingOperation>[], terms: Terms): Refreshed {
  let now: Refreshed = { listing, changed: false }
  for (const { operation, report } of probed) {
    const accepts = acceptsOf(report)
    if (!accepts) continue
    const conformance = report.result?.kind === 'x402' ? report.result.conformance : null
    const found = report.state === 'ok_402' ? undefined : `${report.message} ${report.mend}`
    const described = report.result?.operations[0]
    const challenged = { ...operation, accepts, conformance, checkedAt: report.checkedAt, found, described }
    const next = refresh({ ...listing, ...now.listing }, challenged, terms)
    now = { listing: next.listing, changed: now.changed || next.changed, avoids: now.avoids ?? next.avoids }
  }
  return now
}

/** Whether a check still says something of a listing: of an endpoint that it has, and not older than its reading. */
export const isCurrent = (
  { operations }: Listing,
  check: Pick<Challenged, 'method' | 'url' | 'checkedAt'>,
): boolean => {
  const checked = operations.find((one) => operationKey(one) === operationKey(check))
  return checked !== undefined && !isOlder(check.checkedAt, readAt(checked))
}

/** When the offer of an operation was read last, payable or not. */
export const readAt = ({ payment, problemAt }: Pick<ListingOperation, 'payment' | 'problemAt'>): IsoTime | undefined =>
  payment?.checkedAt ?? problemAt

const isOlder = (time: IsoTime, recorded: IsoTime | undefined): boolean =>
  recorded !== undefined && Date.parse(time) < Date.parse(recorded)

const noting = (conformance: Conformance, paysElsewhere: boolean): Conformance =>
  paysElsewhere ? { ...conformance, issues: [...new Set([...conformance.issues, 'PAYTO_CHANGED'])] } : conformance

/** The endpoints' conformance as one: conformant if all are, with the issues of all. Null if nothing was read. */
export function mergedConformance(conformances: Listing['conformances']): Conformance | null {
  const all = Object.keys(conformances)
    .sort()
    .map((key) => conformances[key] as Conformance)
  const [first] = all
  if (!first) return null
  return {
    declaredVersion: first.declaredVersion,
    offerTransport: first.offerTransport,
    versionConformant: all.every(({ versionConformant }) => versionConformant),
    issues: [...new Set(all.flatMap(({ issues }) => issues))].sort(),
  }
}

const sameConformance = (one: Conformance | null, other: Conformance | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
