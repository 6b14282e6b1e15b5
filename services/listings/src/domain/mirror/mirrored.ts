import type { Category, Conformance, Liveness, ProbeFinding, ProbeState, ShownOffer } from '@callboard/contract'
import type { Address } from '@callboard/values'
import type { Described } from '../evidence.ts'
import type { Rejection } from '../listing.ts'
import type { Held } from './held.ts'

/**
 * The state of a mirrored row. `unprobed`: sources name it, and our probe has not read it yet. `payable`: our last
 * reading found a way to pay that is supported here. `unpayable`: it found none. `stale`: it was payable, and no probe
 * could read it again in time. `suspended`: its payment terms changed, and no operator has checked them yet.
 */
export const MIRROR_STATES = ['unprobed', 'payable', 'unpayable', 'stale', 'suspended'] as const
export type MirrorState = (typeof MIRROR_STATES)[number]

/** The methods used to call third parties' resources unasked: others may have effects, or are not made to be paid. */
export const MIRROR_METHODS = ['GET', 'POST'] as const
export type MirrorMethod = (typeof MIRROR_METHODS)[number]

/** A way to pay as a source claims it, bounded; nothing is decided by it. */
export interface ClaimedOffer {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly amount: string
  readonly payTo: string
}

/** A source's description of a resource, made fit for display as text. */
export interface MirrorClaim {
  readonly title: string
  readonly description: string
  readonly category: Category
  readonly offers: readonly ClaimedOffer[]
  /** JSON Schema of the request; a probe makes its sample body from it. */
  readonly inputSchema?: Record<string, unknown> | undefined
}

/** A resource as a source names it. */
export interface ClaimedResource extends MirrorClaim {
  readonly method: MirrorMethod
  /** The URL to call; with a query if its own origin gives one. */
  readonly url: string
}

/** Whom a resource pays, and how: a change of these suspends a row. */
export interface PaymentTerm {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
}

/** The last reading of our own probe. Readings that learnt nothing about the offer leave it unchanged. */
export interface MirrorFact {
  readonly kind: 'x402' | 'mpp' | 'mcp' | 'plain'
  readonly state: ProbeState
  readonly finding?: ProbeFinding | undefined
  /** The ways to pay, payable or not, without their `extra`. */
  readonly accepts: readonly ShownOffer[]
  readonly conformance: Conformance | null
  readonly described?: Described | undefined
  /** The liveness of its week of checks. */
  readonly liveness?: Liveness | undefined
  /** Milliseconds. */
  readonly checkedAt: number
}

/** A third party's resource that sources name. */
export interface Mirrored {
  readonly slug: string
  /** Rises with every change visible in its snapshot. */
  readonly version: number
  readonly method: MirrorMethod
  readonly url: string
  readonly claim: MirrorClaim
  /** The source of the claim's texts; null once that source no longer names the resource and another one does. */
  readonly claimSource: string | null
  readonly fact: MirrorFact | null
  /** The terms by which it may be paid: those of the first reading, or those that the operator approved. */
  readonly terms: readonly PaymentTerm[] | null
  readonly state: MirrorState
  readonly stateSince: number
  /** Why it cannot be paid, in words; null while it can be, or was never probed. */
  readonly reason: string | null
  /** When a probe last read a supported way to pay; null if never. */
  readonly okAt: number | null
  /** The account proven to be the payee's; null if none. */
  readonly owner: Address | null
  readonly ownedSince: number | null
  /** The operator's suspension, which any owner is subject to; null or absent if there is none. */
  readonly takenDown?: Rejection | null
  /** The owner's part; null or absent if it has no owner. */
  readonly held?: Held | null
  readonly createdAt: number
  readonly updatedAt: number
  /** Since when no source names it; null while one does. */
  readonly unnamedSince: number | null
}
