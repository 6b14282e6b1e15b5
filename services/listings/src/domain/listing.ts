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

/** A splitter of the listing's payout wallet on a chain other than the listing's. */
export interface OtherSplitter {
  readonly network: Caip2
  readonly address: Address
}

/** The operator's verdict against a listing, which its owner cannot undo alone. */
export interface Rejection {
  /** `rejected` if absent. */
  readonly kind?: 'rejected' | 'suspended' | undefined
  /** Milliseconds. */
  readonly at: number
  /** Shown to its owner. */
  readonly reason: string | null
  /** What a listing sold then, as origin and path; absent on mirrored rows, which always sell the same. */
  readonly resources?: readonly string[]
}

/** The facts that the operator checks before a listing is verified. */
export interface ReviewedFacts extends Pick<Listing, 'name' | 'description' | 'payoutWallet'> {
  readonly payTo: Address
  /** If an older release verified it, descriptions are missing, which does not count as a change. */
  readonly operations: readonly (Pick<ListingOperation, 'method' | 'url' | 'name'> & { description?: string })[]
}

/** A listing as this service holds it. */
export interface Listing {
  readonly slug: string
  /** Rises with every change visible in its snapshot. */
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
  /** Those proven ours by their code at the last activation. */
  readonly otherSplitters: readonly OtherSplitter[]
  /** Why Callboard took it offline; null if it did not. */
  readonly suspendedReason: string | null
  /** The operator's rejection or suspension that is in force; null if there is none. */
  readonly rejection: Rejection | null
  /** What the operator verified; null if the listing is not verified. */
  readonly reviewed: ReviewedFacts | null
  readonly operations: readonly ListingOperation[]
  /** The conformance of each operation's last challenge, by `operationKey`. */
  readonly conformances: Readonly<Record<string, Conformance>>
  readonly liveness: Liveness
  readonly createdAt: number
  /** The first activation; a listing without one is known to its owner only. */
  readonly listedAt: number | null
  readonly updatedAt: number
  /** When its owner withdrew it; null if not withdrawn. */
  readonly withdrawnAt: number | null
}

/** The key of an operation within its listing. */
export const operationKey = ({ method, url }: Pick<ListingOperation, 'method' | 'url'>): string => `${method} ${url}`
