import type { DirectoryResult, HiddenReason, ListingSnapshot } from '@callboard/contract'
import { DAY_MS, type IsoTime, isoTime, SECOND_MS } from '@callboard/values'
import type { Rejection } from '../listing.ts'
import { didTo } from '../rejection.ts'
import { endpointReasons, type WatchedEndpoint } from './endpoint-reasons.ts'

/** How long a change of a listing takes at most to reach every replica of the directory. */
const SEARCHABLE_MS = 2 * SECOND_MS

/** What is known about a listing in addition to what everyone sees. */
export interface HiddenFacts {
  readonly snapshot: ListingSnapshot
  /** Why it was taken offline or rejected, in words; null if no reason was given. */
  readonly takenDownFor: string | null
  /** The operator's verdict in force against it; null if none. */
  readonly verdict: Rejection | null
  /** The version that the directory has; null if none. */
  readonly indexedVersion: number | null
  readonly endpoints: readonly WatchedEndpoint[]
  /** A requested review is due this many days after the last change. */
  readonly reviewDays: number
}

/** Why a result does not show a listing; empty if no rule excludes it. */
export function hiddenReasons(facts: HiddenFacts, result: DirectoryResult): HiddenReason[] {
  const everywhere = notPublished(facts)
  return everywhere.length > 0 ? everywhere : notInResult(facts, result)
}

/** The reasons that exclude it from all results. */
function notPublished(facts: HiddenFacts): HiddenReason[] {
  const { snapshot, takenDownFor, verdict, indexedVersion, endpoints } = facts
  const why = takenDownFor ? ` ${takenDownFor}` : ''
  const path = `/api/call/listings/${snapshot.slug}/status`
  const ofOwner = (code: HiddenReason['code'], message: string, mend: string) => [
    { code, message, mend, deadline: null },
  ]
  const again = 'and ask the operator to review it again. You can activate it after that.'
  switch (snapshot.status) {
    case 'draft':
      if (verdict)
        return ofOwner('draft', `It is a draft, and the operator ${didTo(verdict)} it.${why}`, `Fix that, ${again}`)
      return ofOwner('draft', `It is a draft.${why}`, `Activate it: POST ${path} with {"action": "activate"}.`)
    case 'suspended':
      if (verdict) {
        const mend = `POST ${path} with {"action": "revise"}, fix it, ${again}`
        return ofOwner('suspended', `The operator suspended it.${why}`, mend)
      }
      return ofOwner(
        'suspended',
        `It is offline.${why}`,
        `Fix that, then POST ${path} with {"action": "revise"}, and activate it.`,
      )
    case 'rejected':
      return ofOwner(
        'rejected',
        `The operator rejected it.${why}`,
        `POST ${path} with {"action": "revise"}, fix it, and ask the operator to review it again.`,
      )
    case 'live':
  }
  const isPayable = snapshot.operations.some(({ price, payment }) => price !== null && payment)
  if (!isPayable) return endpointReasons(snapshot.operations, endpoints)
  return (indexedVersion ?? 0) < snapshot.version ? [notIndexed(snapshot.updatedAt)] : []
}

function notInResult({ snapshot, endpoints, reviewDays }: HiddenFacts, result: DirectoryResult): HiddenReason[] {
  if (result === 'calls' || snapshot.group === 'svc' || snapshot.verification === 'verified') return []
  const isExternal = snapshot.group === 'external'
  if (isExternal && result !== 'services') return notFresh(endpoints)
  return result.includes('includeUnverified') ? [] : [notVerified(snapshot, reviewDays)]
}

function notVerified({ slug, verification, updatedAt }: ListingSnapshot, reviewDays: number): HiddenReason {
  if (verification === 'requested') {
    return {
      code: 'verification_requested',
      message: 'You asked for a review, and the operator has not done it yet.',
      mend: 'Nothing is needed. Each change to the listing postpones the review, because the review covers the current version.',
      deadline: isoTime(Date.parse(updatedAt) + reviewDays * DAY_MS),
    }
  }
  return {
    code: 'not_verified',
    message: 'It is not verified. This result shows only what the operator has reviewed.',
    mend: `Ask for a review: POST /api/call/listings/${slug}/status with {"action": "request_verification"}.`,
    deadline: null,
  }
}

/** A mirrored row is shown if one of its endpoints was up within a day. */
function notFresh(endpoints: readonly WatchedEndpoint[]): HiddenReason[] {
  const next = soonest(endpoints)
  if (endpoints.every(({ lastCheckedAt }) => lastCheckedAt === null)) {
    const message = 'Our probe has not called it yet.'
    return [{ code: 'not_checked', message, mend: 'Nothing is needed.', deadline: next }]
  }
  const [checked] = endpoints.filter(({ lastCheckedAt }) => lastCheckedAt !== null)
  const message = `No probe found it up in the last day. The last one found ${checked?.state ?? 'nothing'}.`
  return [{ code: 'not_up', message, mend: 'Answer an unpaid request with 402 and an offer.', deadline: next }]
}

const soonest = (endpoints: readonly WatchedEndpoint[]): IsoTime | null =>
  endpoints.map(({ nextDueAt }) => nextDueAt).sort()[0] ?? null

export const notIndexed = (since: IsoTime): HiddenReason => ({
  code: 'not_indexed',
  message: 'Its last change has not reached the directory yet.',
  mend: 'Nothing is needed. If the deadline has passed, the operator can see why: callboard_consumer_pending.',
  deadline: isoTime(Date.parse(since) + SEARCHABLE_MS),
})
