import type { Category, Conformance, Liveness, ProbeFinding, ProbeState, ShownOffer } from '@callboard/contract'
import type { Address } from '@callboard/values'
import type { Described } from '../evidence.ts'
import type { Rejection } from '../listing.ts'
import type { Held } from './held.ts'

/**
 * Where a mirrored row stands. `unprobed`: sources name it, and our probe has not read it yet. `payable`: our last reading
 * found a way to pay that can be taken here. `unpayable`: it found none. `stale`: it was payable, and no probe could read it
 * again in time. `suspended`: it asks to be paid otherwise than before, and no operator has looked at that yet.
 */
export const MIRROR_STATES = ['unprobed', 'payable', 'unpayable', 'stale', 'suspended'] as const
export type MirrorState = (typeof MIRROR_STATES)[number]

/** The methods that a third party's resource is called with unasked: no other is free of effects or made to be paid. */
export const MIRROR_METHODS = ['GET', 'POST'] as const
export type MirrorMethod = (typeof MIRROR_METHODS)[number]

/** A way to pay as a source tells it: its word, bounded, and nothing is decided by it. */
export interface ClaimedOffer {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly amount: string
  readonly payTo: string
}

/** What a source says of a resource, made fit to be shown as text. */
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
  /** As it is called; with a query where its own origin names it so. */
  readonly url: string
}

/** Whom a resource pays, and how: what a row is suspended for when it changes. */
export interface PaymentTerm {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
}

/** What our own probe read last. Readings that learnt nothing of the offer leave it as it was. */
export interface MirrorFact {
  readonly kind: 'x402' | 'mpp' | 'mcp' | 'plain'
  readonly state: ProbeState
  readonly finding?: ProbeFinding | undefined
  /** The ways to pay, payable or not, without their `extra`. */
  readonly accepts: readonly ShownOffer[]
  readonly conformance: Conformance | null
  readonly described?: Described | undefined
  /** The week of its checks. */
  readonly liveness?: Liveness | undefined
  /** Milliseconds. */
  readonly checkedAt: number
}

/** A resource of a third party that sources name. */
export interface Mirrored {
  readonly slug: string
  /** Rises with every change that its snapshot shows. */
  readonly version: number
  readonly method: MirrorMethod
  readonly url: string
  readonly claim: MirrorClaim
  /** The source whose words the claim is; null once that one names the resource no more. */
  readonly claimSource: string | null
  readonly fact: MirrorFact | null
  /** The terms that it may be paid by: those of the first reading, or those that the operator approved. */
  readonly terms: readonly PaymentTerm[] | null
  readonly state: MirrorState
  readonly stateSince: number
  /** Why it cannot be paid, in words; null while it can be, or was never probed. */
  readonly reason: string | null
  /** When a probe last read a way to pay that can be taken; null for never. */
  readonly okAt: number | null
  /** Who proved to be the payee; null for none. */
  readonly owner: Address | null
  readonly ownedSince: number | null
  /** That the operator suspended it, whoever owns it; null and absent while that is not so. */
  readonly takenDown?: Rejection | null
  /** What its owner made of it; null and absent while it has none. */
  readonly held?: Held | null
  readonly createdAt: number
  readonly updatedAt: number
  /** Since when no source names it; null while one does. */
  readonly unnamedSince: number | null
}
