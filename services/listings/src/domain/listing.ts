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
  readonly operations: readonly ListingOperation[]
  /** What the last challenge of each operation was like, by `operationKey`. */
  readonly conformances: Readonly<Record<string, Conformance>>
  readonly liveness: Liveness
  readonly createdAt: number
  /** The first activation; what was never listed is known to its owner only. */
  readonly listedAt: number | null
  readonly updatedAt: number
}

/** What names an operation within its listing. */
export const operationKey = ({ method, url }: Pick<ListingOperation, 'method' | 'url'>): string => `${method} ${url}`
