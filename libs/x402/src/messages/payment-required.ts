import { z } from 'zod'
import { nullsAbsent } from './absent.ts'
import { ExactRequirements, PaymentRequirements } from './payment-requirements.ts'

/** Extensions by name, each usually `{info, schema}`; kept as received, because a client must echo them unchanged. */
export const Extensions = z.record(z.string(), z.unknown())
export type Extensions = z.output<typeof Extensions>

/** A third party's description of what it sells. Untrusted text: bounded here, shown as text only. */
export const Resource = nullsAbsent(
  z.looseObject({
    url: z.string().min(1).max(2048),
    description: z.string().optional(),
    mimeType: z.string().optional(),
  }),
)
export type Resource = z.output<typeof Resource>

/**
 * A version 2 offer as a third party sends it, with every unknown member kept.
 * @source x402 v2, PaymentRequired
 */
export const PaymentRequired = nullsAbsent(
  z.looseObject({
    x402Version: z.literal(2),
    error: z.string().optional(),
    resource: Resource,
    accepts: z.array(PaymentRequirements).min(1).max(64),
    extensions: Extensions.optional(),
  }),
)
export type PaymentRequired = z.output<typeof PaymentRequired>

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/

/** The description of a paid route of Callboard, within the limits that stock clients enforce. */
export const OfferedResource = z.strictObject({
  url: z.url().max(2048),
  description: z.string().max(1024).optional(),
  mimeType: z.string().max(128).optional(),
  serviceName: z.string().min(1).max(32).regex(PRINTABLE_ASCII).optional(),
  tags: z.array(z.string().min(1).max(32)).max(5).optional(),
  iconUrl: z.url().max(2048).optional(),
})
export type OfferedResource = z.output<typeof OfferedResource>

/** An extension that Callboard advertises: `info` is the data, `schema` the JSON Schema of `info`. */
export const OfferedExtension = z.strictObject({
  info: z.record(z.string(), z.unknown()),
  schema: z.record(z.string(), z.unknown()),
})
export type OfferedExtension = z.output<typeof OfferedExtension>

/** The offer Callboard sends with a 402, in both the body and the `PAYMENT-REQUIRED` header. */
export const Offer = z.strictObject({
  x402Version: z.literal(2),
  error: z.string().optional(),
  resource: OfferedResource,
  accepts: z.array(ExactRequirements).min(1),
  extensions: z.record(z.string(), OfferedExtension).optional(),
})
export type Offer = z.output<typeof Offer>
