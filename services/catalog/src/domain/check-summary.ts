import type { Conformance, ListingSnapshot, Liveness, ProbeState } from '@callboard/contract'
import { noChecks } from '@callboard/contract'
import { freshness } from './ranking.ts'

/** The newest check of one endpoint. */
export interface EndpointCheck {
  readonly method: string
  readonly url: string
  readonly checkedAt: Date
  /** Orders checks of the same time. */
  readonly sequence: number
  readonly state: ProbeState
  /** When the endpoint was last up, in this check or an earlier one. */
  readonly okAt: Date | null
  readonly liveness: Liveness
  readonly conformance: Conformance | null
}

/** What a listing's checks say about it. */
export interface CheckSummary {
  readonly staleness: number
  readonly okAt: Date | null
  readonly checkedAt: Date | null
  readonly liveness: Liveness
  readonly conformance: Conformance
  /** Indexes of the operations that last answered with an MPP challenge. */
  readonly mpp: readonly number[]
}

type Judged = Pick<ListingSnapshot, 'conformance'> & {
  readonly operations: readonly Pick<ListingSnapshot['operations'][number], 'method' | 'url' | 'price' | 'payment'>[]
}

const UNREAD: Conformance = { declaredVersion: null, versionConformant: false, offerTransport: 'none', issues: [] }

/** Whether the offer of an operation has been read: only then can it be shown with its price. */
export const isPriced = <Operation extends { price: string | null; payment: object | null }>(
  operation: Operation,
): operation is Operation & { price: string; payment: NonNullable<Operation['payment']> } =>
  operation.price !== null && operation.payment !== null

/** The only scheme that can be paid here. */
const PAYABLE_SCHEME = 'exact'

/** Whether an operation whose offer was read can be paid here. @param mpp whether it last offered MPP, and no x402 */
export const isPayable = ({ payment }: { readonly payment: { readonly scheme: string } }, mpp: boolean): boolean =>
  !mpp && payment.scheme === PAYABLE_SCHEME

/** Whether a listing is shown at all: it is live, not removed, and has a price. */
export const isPublished = (
  {
    status,
    operations,
  }: Pick<ListingSnapshot, 'status'> & {
    readonly operations: readonly { price: string | null; payment: object | null }[]
  },
  removed: boolean,
): boolean => status === 'live' && !removed && operations.some(isPriced)

/** Whether `seen` is the later of two checks of one endpoint. */
export const isNewer = (
  seen: Pick<EndpointCheck, 'checkedAt' | 'sequence'>,
  known: Pick<EndpointCheck, 'checkedAt' | 'sequence'>,
): boolean => compareMoments(seen, known) > 0

/** Merges two checks of one endpoint: the newer one, with the later time at which the endpoint was up. */
export function mergeChecks(known: EndpointCheck | undefined, seen: EndpointCheck): EndpointCheck {
  if (!known) return seen
  const okAt = new Date(Math.max(known.okAt?.getTime() ?? 0, seen.okAt?.getTime() ?? 0))
  return { ...(isNewer(seen, known) ? seen : known), okAt: okAt.getTime() === 0 ? null : okAt }
}

/**
 * Summarizes a listing's checks, from its newest snapshot and the newest check of each endpoint. Checks of endpoints
 * that the listing no longer has are ignored.
 */
export function checkSummaryOf(listing: Judged, checks: readonly EndpointCheck[]): CheckSummary {
  const byOperation = listing.operations.map((operation) =>
    checks.find(({ method, url }) => method === operation.method && url === operation.url),
  )
  const current = byOperation.filter((check) => check !== undefined)
  let newest: EndpointCheck | undefined
  let okMs: number | undefined
  for (const check of current) {
    if (!newest || compareMoments(newest, check) <= 0) newest = check
    const upMs = check.okAt?.getTime()
    if (upMs && upMs > (okMs ?? 0)) okMs = upMs
  }
  const liveness = newest?.liveness ?? noChecks
  const parts = current.map(({ conformance }) => conformance).filter((part) => part !== null)
  const conformance = commonConformance(parts) ?? listing.conformance ?? UNREAD
  return {
    staleness: 0 - freshness(okMs),
    okAt: okMs === undefined ? null : new Date(okMs),
    checkedAt: newest?.checkedAt ?? null,
    liveness,
    conformance,
    mpp: byOperation.flatMap((check, index) => (check?.state === 'mpp' ? [index] : [])),
  }
}

const compareMoments = (a: Pick<EndpointCheck, 'checkedAt' | 'sequence'>, b: typeof a): number =>
  a.checkedAt.getTime() - b.checkedAt.getTime() || a.sequence - b.sequence

/** A listing conforms only as far as all endpoints do: the lowest version, every issue, the first one's transport. */
function commonConformance(parts: readonly Conformance[]): Conformance | undefined {
  const [first] = parts
  if (!first) return undefined
  if (parts.length === 1 && first.issues.length < 2) return first
  const versions = parts.flatMap(({ declaredVersion }) => declaredVersion ?? [])
  return {
    declaredVersion: versions.length > 0 ? Math.min(...versions) : null,
    versionConformant: parts.every(({ versionConformant }) => versionConformant),
    offerTransport: first.offerTransport,
    issues: [...new Set(parts.flatMap(({ issues }) => issues))].sort(),
  }
}
