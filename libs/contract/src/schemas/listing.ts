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

/** How an endpoint is paid, as our own probe last read it. Amounts in base units of the asset. */
export const EndpointPayment = z.object({
  scheme: z.string(),
  network: Network,
  asset: Address,
  payTo: Address,
  amount: z.string(),
  /** How long an authorization may stay valid; absent where it was read before this was noted. */
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
  /** Whose words the description is; it follows the endpoint's 402 where its owner gave none. Absent before this was noted. */
  describedBy: z.enum(['owner', 'endpoint']).optional(),
  metadataEvidence: MetadataEvidence,
  inputSchema: z.record(z.string(), z.unknown()).optional(),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  /** What its provider gave for probes to send; every check sends it. */
  sample: EndpointSample.optional(),
  /** USD text. */
  price: Usd.nullable(),
  payment: EndpointPayment.nullable(),
  /** Why there is no payment any more, in words; absent while there is one. */
  problem: z.string().optional(),
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

/** Settlements observed on chain, amounts as USD text. */
const Totals = z.object({
  calls: z.object({ total: z.number().int(), last7d: z.number().int() }),
  revenue: z.object({ amountUsd: Usd, last7dUsd: Usd }),
  /** What else reached the listing's payee: payments of an amount that it did not ask at that time. */
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
  /** That the operator rejected it: until the operator takes that back it cannot be activated. Null when that is not so. */
  rejection: z.object({ at: Timestamp, reason: z.string().nullable() }).nullable(),
  /** The same of a suspension by the operator. */
  suspension: z.object({ at: Timestamp, reason: z.string().nullable() }).nullable(),
  verification: Verification,
  group: Group,
  provenance: Provenance,
  fee: Fee,
  operations: z.array(ListingOperation),
  payoutWallet: Address,
  /** Null for a claimed listing: it is paid directly, to its payout wallet. */
  splitter: ListingSplitter.nullable(),
  liveness: Liveness,
  ...Totals.shape,
  /**
   * What can be this listing's or another's of the same payout wallet, because they asked the same and no resource is known.
   * It is in none of the sums above, and in `shared` of each of these listings: add it up once.
   */
  shared: Totals,
  createdAt: Timestamp,
  listedAt: Timestamp.nullable(),
  updatedAt: Timestamp,
})
export type ListingRecord = z.output<typeof ListingRecord>

/**
 * What may surprise a provider later, and refuses nothing now. `shared_price`: another listing of the payout wallet asks
 * the same price, so that a payment whose resource is not known can be of either. `shared_resource`: another listing of the
 * payout wallet sells the same URL, so that its resource does not decide either. `not_paid_to_splitter`: the draft cannot be
 * activated before its endpoint pays the splitter. `hidden_until_verified`: the listing
 * is live, and search shows it only to callers that ask for what is not reviewed.
 */
export const ListingWarning = z.object({
  code: z.enum(['shared_price', 'shared_resource', 'not_paid_to_splitter', 'hidden_until_verified']),
  /** The member of the request, or of the answer, that it is about. */
  field: z.string(),
  message: z.string(),
})
export type ListingWarning = z.output<typeof ListingWarning>

/** A listing as its owner has made it, and what may surprise them later. */
export const ListingWithWarnings = z.object({ listing: ListingRecord, warnings: z.array(ListingWarning) })

/** One endpoint as a provider publishes it. */
export const PublishedOperation = z.strictObject({
  method: HttpMethod,
  url: EndpointUrl,
  name: shownText('line').min(1).max(80),
  description: shownText('paragraphs').max(500).default(''),
  metadataEvidence: MetadataEvidence.default('none'),
  /** For an endpoint that validates requests before it asks for payment. */
  sample: EndpointSample.optional(),
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

nameSchemas({
  EndpointPayment,
  ListingOperation,
  ListingSplitter,
  ListingRecord,
  ListingWarning,
  ListingWithWarnings,
  PublishedOperation,
})
