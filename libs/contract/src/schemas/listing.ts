import { z } from 'zod'
import { Conformance, Liveness } from './liveness.ts'
import { MetadataEvidence } from './probe.ts'
import {
  Address,
  Category,
  EndpointUrl,
  Fee,
  Group,
  HttpMethod,
  ListingStatus,
  Network,
  Provenance,
  Slug,
  Timestamp,
  Transaction,
  Usd,
  Verification,
} from './words.ts'

/** How an endpoint is paid, as our own probe last read it. Amounts in base units of the asset. */
export const EndpointPayment = z.object({
  scheme: z.string(),
  network: Network,
  asset: Address,
  payTo: Address,
  amount: z.string(),
  checkedAt: Timestamp,
})
export type EndpointPayment = z.output<typeof EndpointPayment>

/** One endpoint of a listing. `payment` and `price` are null until a probe has read a payable offer. */
export const ListingOperation = z.object({
  name: z.string(),
  method: HttpMethod,
  url: z.string(),
  description: z.string(),
  metadataEvidence: MetadataEvidence,
  inputSchema: z.record(z.string(), z.unknown()).optional(),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  /** USD text. */
  price: Usd.nullable(),
  payment: EndpointPayment.nullable(),
})
export type ListingOperation = z.output<typeof ListingOperation>

/** The predicted or deployed FeeSplitter of a listing; `deploy` is the transaction that the provider's wallet sends. */
export const ListingSplitter = z.object({
  network: Network,
  address: Address,
  deployed: z.boolean(),
  deploy: Transaction,
})
export type ListingSplitter = z.output<typeof ListingSplitter>

/** A listing as its owner sees it. Amounts are USD text; calls and revenue are settlements observed on chain. */
export const ListingRecord = z.object({
  slug: Slug,
  name: z.string(),
  description: z.string(),
  category: Category,
  status: ListingStatus,
  verification: Verification,
  group: Group,
  provenance: Provenance,
  fee: Fee,
  operations: z.array(ListingOperation),
  payoutWallet: Address,
  splitter: ListingSplitter,
  liveness: Liveness,
  calls: z.object({ total: z.number().int(), last7d: z.number().int() }),
  revenue: z.object({ amountUsd: Usd, last7dUsd: Usd }),
  createdAt: Timestamp,
  listedAt: Timestamp.nullable(),
  updatedAt: Timestamp,
})
export type ListingRecord = z.output<typeof ListingRecord>

/** Text that is stored and shown as it is: whole characters, and no control characters but tabs and line breaks. */
export const ShownText = z
  .string()
  .trim()
  .refine((text) => text.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(text), 'must not hold control characters')

/** One endpoint as a provider publishes it. */
export const PublishedOperation = z.strictObject({
  method: HttpMethod,
  url: EndpointUrl,
  name: ShownText.min(1).max(80),
  description: ShownText.max(500).default(''),
  metadataEvidence: MetadataEvidence.default('none'),
})

/** The whole public view of a listing, as `listing.changed` carries it. */
export const ListingSnapshot = z.object({
  slug: Slug,
  /** Rises with every change of the listing; an older snapshot never overwrites a newer one. */
  version: z.number().int().positive(),
  name: z.string(),
  description: z.string(),
  category: Category,
  status: ListingStatus,
  verification: Verification,
  group: Group,
  provenance: Provenance,
  fee: Fee,
  operations: z.array(ListingOperation),
  payTo: z.array(z.object({ network: Network, address: Address })),
  conformance: Conformance.nullable(),
  createdAt: Timestamp,
  listedAt: Timestamp.nullable(),
  updatedAt: Timestamp,
})
export type ListingSnapshot = z.output<typeof ListingSnapshot>
