import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { ActivityItem, Bucket } from './activity.ts'
import { EndpointPayment } from './listing.ts'
import { ProbeState } from './liveness.ts'
import { ShownOffer } from './probe.ts'
import { Service } from './service.ts'
import { Group, HttpMethod, Timestamp, Usd } from './words.ts'

/**
 * The parts of an offer that can differ or change: `payable` is whether our probe read an offer that can be paid,
 * `price` is USD text, `amount` base units of the asset.
 */
export const OfferField = z.enum([
  'payable',
  'price',
  'amount',
  'scheme',
  'network',
  'asset',
  'payTo',
  'maxTimeoutSeconds',
  'inputSchema',
  'outputSchema',
])
export type OfferField = z.output<typeof OfferField>

/** An endpoint's offer as its listing has it and as the endpoint last made it; the offer of the live 402 is binding. */
export const EndpointOffers = z.object({
  stored: EndpointPayment.extend({ price: Usd }).nullable(),
  /** Null until a check has read one; `accepts` is empty where the endpoint no longer charges. */
  live: z.object({ accepts: z.array(ShownOffer), state: ProbeState, checkedAt: Timestamp }).nullable(),
  /** The differences, each with both values as text; empty where there are none, and while either side is unknown. */
  differences: z.array(z.object({ field: OfferField, stored: z.string(), live: z.string() })),
})
export type EndpointOffers = z.output<typeof EndpointOffers>

/** Text to copy: each requests or pays for one call of the endpoint with its sample input. */
export const HowToPay = z.object({
  /** Requests without a payment: the answer is the 402 with the offer. */
  curl: z.string(),
  /** With `@x402/fetch` and `@x402/evm`. */
  typescript: z.string(),
  /** With `x402[httpx,evm]`. */
  python: z.string(),
  /** With `callboard`, which enforces its policy. */
  cli: z.string(),
  /** With `@callboard/client`. */
  client: z.string(),
})
export type HowToPay = z.output<typeof HowToPay>

/** What is needed to build and pay one call. */
export const RequestContract = z.object({
  name: z.string(),
  method: HttpMethod,
  url: z.string(),
  inputSchema: z.record(z.string(), z.unknown()).nullable(),
  outputSchema: z.record(z.string(), z.unknown()).nullable(),
  metadataEvidence: z.string(),
  /** The seller's sample, else the example of its offer, else the least that its schema accepts; null if none is known. */
  sampleInput: z.unknown(),
  offers: EndpointOffers,
  /** Null where there is no offer that can be paid. */
  howToPay: HowToPay.nullable(),
  /** The signed link of the page about this call, as in discovery; null where no offer was read. */
  action: z.object({ type: z.literal('invoke_api'), href: z.string() }).nullable(),
})
export type RequestContract = z.output<typeof RequestContract>

/** A change in one of a listing's offers. Schemas are named by SHA-256, as `sha256:` and 64 hexadecimal digits. */
export const OfferChange = z.object({
  at: Timestamp,
  method: HttpMethod,
  url: z.string(),
  field: OfferField,
  /** Null where there was no value before, or is none now. */
  from: z.string().nullable(),
  to: z.string().nullable(),
})
export type OfferChange = z.output<typeof OfferChange>

/** The most listings that an entry names beside its own. */
export const MOST_SAME_PAYEE = 20

/** A service with what is needed to build a call and to judge its seller. */
export const CatalogueEntry = Service.extend({
  listedAt: Timestamp.nullable(),
  requests: z.array(RequestContract),
  /** Settled calls of this listing by UTC day, the last seven, oldest first, today included. */
  week: z.array(Bucket),
  /** Newest first, at most fifty. */
  offerChanges: z.array(OfferChange),
  /** Newest first, at most ten. */
  recentSettlements: z.array(ActivityItem),
  /** Other published listings that name one of this listing's payees, at most `MOST_SAME_PAYEE`. */
  samePayee: z.array(z.object({ ref: z.string(), name: z.string(), group: Group })),
})
export type CatalogueEntry = z.output<typeof CatalogueEntry>

/** One call of a published listing, as its page shows it. */
export const InvokedCall = z.object({
  listing: Service.pick({ id: true, name: true, description: true, group: true, verified: true, verification: true }),
  /** What the endpoint is, as its provider or its own 402 describes it. */
  description: z.string(),
  request: RequestContract,
  /** Whether it can be paid with x402, as in discovery. */
  payable: z.boolean(),
  /** Why it can no longer be paid, in our words; null where that is not known, or it can. */
  problem: z.string().nullable(),
  /** The newest check of this endpoint, and when it was last up; null before the first. */
  check: z.object({ state: ProbeState, checkedAt: Timestamp, okAt: Timestamp.nullable() }).nullable(),
  /** Of the whole listing, as in the entry. */
  liveness: Service.shape.liveness,
  /** The issues of this endpoint's offer. */
  issues: z.array(z.string()),
})
export type InvokedCall = z.output<typeof InvokedCall>

nameSchemas({ OfferField, EndpointOffers, HowToPay, RequestContract, OfferChange, CatalogueEntry })
