import type { Conformance, ListingOperation, ShownOffer } from '@callboard/contract'
import type { IsoTime } from '@callboard/values'
import { acceptsOf, type Probed } from './evidence.ts'
import { type Listing, operationKey } from './listing.ts'
import { offerToSplitter, paidBy, payableOffers, type Terms } from './offer.ts'

/** What a challenge of one endpoint said. */
export interface Challenged {
  readonly method: ListingOperation['method']
  readonly url: string
  readonly accepts: readonly ShownOffer[]
  readonly conformance: Conformance | null
  readonly checkedAt: IsoTime
}

export interface Refreshed {
  readonly listing: Pick<Listing, 'operations' | 'conformances' | 'verification'>
  /** True when the public sees something else than before; a newer `checkedAt` alone is not that. */
  readonly changed: boolean
}

/**
 * A live listing after an endpoint's challenge was read anew: what is offered now counts, not what was recorded.
 * An offer that no longer pays the splitter makes the operation not payable; one that pays somebody else also takes the
 * listing's verification, because what was reviewed is gone. An older reading than the recorded one changes nothing.
 */
export function refresh(listing: Listing, challenged: Challenged, terms: Terms): Refreshed {
  const at = listing.operations.findIndex((one) => operationKey(one) === operationKey(challenged))
  const before = listing.operations[at]
  const { operations: held, conformances: known, verification: trusted } = listing
  const unchanged = { operations: held, conformances: known, verification: trusted }
  if (!before || isOlder(challenged.checkedAt, before.payment?.checkedAt)) return { listing: unchanged, changed: false }

  const offer = offerToSplitter(challenged.accepts, terms)
  const paysElsewhere = !offer && payableOffers(challenged.accepts, terms).length > 0
  const paid = offer ? paidBy(offer, terms, challenged.checkedAt) : { payment: null, price: null }
  const operations = listing.operations.with(at, { ...before, ...paid })
  const conformances = challenged.conformance
    ? { ...listing.conformances, [operationKey(before)]: noting(challenged.conformance, paysElsewhere) }
    : listing.conformances
  const verification = paysElsewhere ? 'none' : listing.verification
  const changed =
    before.price !== paid.price ||
    verification !== listing.verification ||
    !sameConformance(mergedConformance(listing.conformances), mergedConformance(conformances))
  return { listing: { operations, conformances, verification }, changed }
}

/** A listing after all its endpoints were probed; those that gave no challenge keep what was recorded. */
export function refreshAll(listing: Listing, probed: readonly Probed<ListingOperation>[], terms: Terms): Refreshed {
  let now: Refreshed = { listing, changed: false }
  for (const { operation, report } of probed) {
    const accepts = acceptsOf(report)
    if (!accepts) continue
    const conformance = report.result?.kind === 'x402' ? report.result.conformance : null
    const challenged = { ...operation, accepts, conformance, checkedAt: report.checkedAt }
    const next = refresh({ ...listing, ...now.listing }, challenged, terms)
    now = { listing: next.listing, changed: now.changed || next.changed }
  }
  return now
}

const isOlder = (time: IsoTime, recorded: IsoTime | undefined): boolean =>
  recorded !== undefined && Date.parse(time) < Date.parse(recorded)

const noting = (conformance: Conformance, paysElsewhere: boolean): Conformance =>
  paysElsewhere ? { ...conformance, issues: [...new Set([...conformance.issues, 'PAYTO_CHANGED'])] } : conformance

/** The endpoints' conformance as one: conformant when all are, with the issues of all. Null while nothing was read. */
export function mergedConformance(conformances: Listing['conformances']): Conformance | null {
  const all = Object.keys(conformances)
    .sort()
    .flatMap((key) => conformances[key] ?? [])
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
