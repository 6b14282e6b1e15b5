import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Conformance, Liveness } from './liveness.ts'
import { MetadataEvidence } from './probe.ts'
import { EndpointSample } from './sample.ts'
import { shownText } from './shown-text.ts'
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

/** How an endpoint is paid, as our probe last read it. Amounts in base units of the asset. */
export const EndpointPayment = z.object({
  scheme: z.string(),
  network: Network,
  asset: Address,
  payTo: Address,
  amount: z.string(),
  /** How long an authorization may stay valid; absent where it was read before this was recorded. */
  maxTimeoutSeconds: z.number().optional(),
  checkedAt: Timestamp,
})
export type EndpointPayment = z.output<typeof EndpointPayment>

/** One endpoint of a listing. `payment` and `price` are null until a probe has read a payable offer. */
export const ListingOperation = z.object({
  name: z.string(),
  method: HttpMethod,
  url: z.string(),
  description: z.string(),
  /** Who wrote the description: the endpoint's 402, if its owner gave none. Absent before this was recorded. */
  describedBy: z.enum(['owner', 'endpoint']).optional(),
  metadataEvidence: MetadataEvidence,
  inputSchema: z.record(z.string(), z.unknown()).optional(),
  /** The endpoint's own example of its body or its query. */
  inputExample: z.record(z.string(), z.unknown()).optional(),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  /** The provider's sample for probes; every check sends it. */
  sample: EndpointSample.optional(),
  /** USD text. */
  price: Usd.nullable(),
  payment: EndpointPayment.nullable(),
  /** Why it can no longer be paid, in words; absent while it can. */
  problem: z.string().optional(),
  /** When that was read last; absent before this was recorded. */
  problemAt: Timestamp.optional(),
})
export type ListingOperation = z.output<typeof ListingOperation>

/** A listing's predicted or deployed FeeSplitter; `deploy` is the transaction for the provider's wallet to send. */
export const ListingSplitter = z.object({
  network: Network,
  address: Address,
  deployed: z.boolean(),
  deploy: Transaction,
})
export type ListingSplitter = z.output<typeof ListingSplitter>

/** Settlements observed on chain, amounts as USD text. */
const Totals = z.object({
  calls: z.object({ total: z.number().int(), last7d: z.number().int() }),
  revenue: z.object({ amountUsd: Usd, last7dUsd: Usd }),
  /** Other payments to the listing's payee, of an amount that it did not ask at that time. */
  transfers: z.object({ total: z.number().int(), amountUsd: Usd }),
})

/** A listing as its owner sees it. */
export const ListingRecord = z.object({
  slug: Slug,
  name: z.string(),
  description: z.string(),
  category: Category,
  status: ListingStatus,
  /** Why we took the listing offline; null when it is not, or when its owner did. */
  suspendedReason: z.string().nullable(),
  /** Set where the operator rejected it: it cannot be activated until the operator reopens it. Null otherwise. */
  rejection: z.object({ at: Timestamp, reason: z.string().nullable() }).nullable(),
  /** The same for a suspension by the operator. */
  suspension: z.object({ at: Timestamp, reason: z.string().nullable() }).nullable(),
  verification: Verification,
  group: Group,
  provenance: Provenance,
  fee: Fee,
  operations: z.array(ListingOperation),
  payoutWallet: Address,
  /** Null for a claimed listing, which is paid directly to its payout wallet. */
  splitter: ListingSplitter.nullable(),
  liveness: Liveness,
  ...Totals.shape,
  /**
   * Settlements of this listing or another of the same payout wallet: they asked the same, and no resource is known.
   * Excluded from the sums above, and in `shared` of each of these listings: add it up only once.
   */
  shared: Totals,
  createdAt: Timestamp,
  listedAt: Timestamp.nullable(),
  updatedAt: Timestamp,
})
export type ListingRecord = z.output<typeof ListingRecord>

/**
 * Warnings that may surprise a provider later but refuse nothing now. `shared_price`: another listing of the payout
 * wallet asks the same price, so a payment with no known resource may belong to either. `shared_resource`: another
 * listing of the payout wallet sells the same URL, so the resource does not decide either. `not_paid_to_splitter`: the
 * draft cannot be activated before its endpoint pays the splitter. `hidden_until_verified`: the listing is live, but
 * search shows it only to callers that ask for unreviewed ones.
 */
export const ListingWarning = z.object({
  code: z.enum(['shared_price', 'shared_resource', 'not_paid_to_splitter', 'hidden_until_verified']),
  /** The member of the request or answer in question. */
  field: z.string(),
  message: z.string(),
})
export type ListingWarning = z.output<typeof ListingWarning>

/** A listing after a change by its owner, with its warnings. */
export const ListingWithWarnings = z.object({ listing: ListingRecord, warnings: z.array(ListingWarning) })

/** One endpoint as a provider publishes it. */
export const PublishedOperation = z.strictObject({
  method: HttpMethod,
  url: EndpointUrl,
  name: shownText('line', 80).min(1),
  description: shownText('paragraphs', 500).default(''),
  metadataEvidence: MetadataEvidence.default('none'),
  /** For an endpoint that validates requests before it asks for payment. */
  sample: EndpointSample.optional(),
})

/** An operation of a snapshot. The hashes are in abridged snapshots, and stand for the schemas. */
const SnapshotOperation = ListingOperation.extend({
  inputSchemaHash: z.string().optional(),
  outputSchemaHash: z.string().optional(),
})

/** The whole public view of a listing, as carried by `listing.changed`. */
export const ListingSnapshot = z.object({
  slug: Slug,
  /** Set in the event log once a later snapshot is stored: this one has lost its descriptions, schemas and samples. */
  abridged: z.literal(true).optional(),
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
  operations: z.array(SnapshotOperation),
  payTo: z.array(z.object({ network: Network, address: Address })),
  conformance: Conformance.nullable(),
  createdAt: Timestamp,
  listedAt: Timestamp.nullable(),
  updatedAt: Timestamp,
})
export type ListingSnapshot = z.output<typeof ListingSnapshot>

nameSchemas({
  EndpointPayment,
  ListingOperation,
  ListingSplitter,
  ListingRecord,
  ListingWarning,
  ListingWithWarnings,
  PublishedOperation,
})
