import type {
  Category,
  Conformance,
  Group,
  ListingOperation,
  ListingStatus,
  Liveness,
  Provenance,
  Verification,
} from '@callboard/contract'
import type { Address, Caip2 } from '@callboard/values'

/** A splitter of the listing's payout wallet on another chain than the listing's. */
export interface OtherSplitter {
  readonly network: Caip2
  readonly address: Address
}

/** The operator's verdict against a listing, which its owner cannot undo alone. */
export interface Rejection {
  /** Rejected when absent. */
  readonly kind?: 'rejected' | 'suspended' | undefined
  /** Milliseconds. */
  readonly at: number
  /** What its owner reads. */
  readonly reason: string | null
}

/** What the operator looks at before a listing is verified. */
export interface ReviewedFacts extends Pick<Listing, 'name' | 'description' | 'payoutWallet'> {
  readonly payTo: Address
  /** Verified by an older release they have no descriptions, which is no change then. */
  readonly operations: readonly (Pick<ListingOperation, 'method' | 'url' | 'name'> & { description?: string })[]
}

/** A listing as this service holds it. */
export interface Listing {
  readonly slug: string
  /** Rises with every change that its snapshot shows. */
  readonly version: number
  readonly owner: Address
  readonly name: string
  readonly description: string
  readonly category: Category
  readonly status: ListingStatus
  readonly verification: Verification
  readonly group: Group
  readonly provenance: Provenance
  readonly fee: { readonly bps: number; readonly label: string }
  readonly network: Caip2
  readonly payoutWallet: Address
  readonly splitter: {
    readonly address: Address
    readonly factory: Address
    /** As last seen on chain. */
    readonly deployed: boolean
  }
  /** Those whose code proved them ours at the last activation. */
  readonly otherSplitters: readonly OtherSplitter[]
  /** Why we took it offline; null when we did not. */
  readonly suspendedReason: string | null
  /** That the operator rejected or suspended it, and has not taken that back; null when that is not so. */
  readonly rejection: Rejection | null
  /** What the operator verified; null when the listing is not verified. */
  readonly reviewed: ReviewedFacts | null
  readonly operations: readonly ListingOperation[]
  /** What the last challenge of each operation was like, by `operationKey`. */
  readonly conformances: Readonly<Record<string, Conformance>>
  readonly liveness: Liveness
  readonly createdAt: number
  /** The first activation; what was never listed is known to its owner only. */
  readonly listedAt: number | null
  readonly updatedAt: number
  /** When its owner ended it; null while it is held. */
  readonly withdrawnAt: number | null
}

/** What names an operation within its listing. */
export const operationKey = ({ method, url }: Pick<ListingOperation, 'method' | 'url'>): string => `${method} ${url}`
