import { AddressText, Caip2Text } from '@callboard/x402'
import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'

/** RFC 3339 in UTC. */
export const Timestamp = z.iso.datetime('must be a time in UTC, such as 2026-12-22T09:30:00Z')

export const Address = AddressText

/** A signature by a key, possibly compact (EIP-2098), or any bytes, even none, that a contract accepts (EIP-1271). */
export const WalletSignature = z
  .string()
  .max(2 + 2 * 8_192, 'must be at most 8,192 bytes')
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'must be 0x and hex')
export const Network = Caip2Text

/** USD as decimal text. */
export const Usd = z.string().regex(/^(0|[1-9]\d*)(\.\d+)?$/, 'must be a decimal USD amount')

/** The name of a listing in paths: lower-case words joined by hyphens. */
export const Slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')
  .max(64)

const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/

/** A whole number in a query string, within bounds: decimal digits only, so that all readers parse it alike. */
export function queryInt(min: number, max: number) {
  const bounds = `must be between ${min} and ${max}`
  const number = z.number('must be a whole number').int('must be a whole number').min(min, bounds).max(max, bounds)
  // Anything beyond what a double holds exactly is out of bounds in any case.
  const read = (text: string) => Math.max(Math.min(Number(text), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
  return z.preprocess((value) => (typeof value === 'string' && WHOLE_NUMBER.test(value) ? read(value) : value), number)
}

const SHARE = /^(0|1)(\.\d{1,6})?$/

/** A number from 0 to 1 in a query string, in decimal digits: at most six after the point. */
export const queryShare = z.preprocess(
  (value) => (typeof value === 'string' && SHARE.test(value) ? Number(value) : value),
  z.number('must be a number from 0 to 1').min(0, 'must be from 0 to 1').max(1, 'must be from 0 to 1'),
)

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false }

/** `true` or `false` in a query string. */
export const queryBoolean = z.preprocess(
  (value) => (typeof value === 'string' ? (BOOLEANS[value] ?? value) : value),
  z.boolean('must be true or false'),
)

/** A query parameter that may be repeated: one value or several. */
export const repeated = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(16).optional(),
  )

export const Category = z.enum(['ai', 'data', 'crypto', 'compute', 'search'])
export const Verification = z.enum(['none', 'requested', 'verified'])
export const Group = z.enum(['svc', 'added', 'partner', 'external'])
export const ListingStatus = z.enum(['draft', 'live', 'rejected', 'suspended'])
export const Provenance = z.enum(['self_listed', 'indexed', 'partner', 'first_party'])
export const Fee = z.object({ bps: z.number().int().min(0), label: z.string() })
export const HttpMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
export const Range = z.enum(['24h', '7d', '30d'])

export type Category = z.output<typeof Category>
export type Verification = z.output<typeof Verification>
export type Group = z.output<typeof Group>
export type ListingStatus = z.output<typeof ListingStatus>
export type Provenance = z.output<typeof Provenance>
export type HttpMethod = z.output<typeof HttpMethod>
export type Range = z.output<typeof Range>

/** A transaction that a wallet sends unchanged; `value` is native base units as decimal text. */
export const Transaction = z.object({ to: Address, data: z.string(), value: z.string() })

/** An http or https URL of a third party, without credentials or fragment. */
export const EndpointUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2048)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && url.username === '' && url.password === '' && url.hash === ''
  }, 'must not carry credentials or a fragment')

nameSchemas({
  Address,
  Network,
  Timestamp,
  WalletSignature,
  Usd,
  Slug,
  Category,
  Verification,
  Group,
  ListingStatus,
  Provenance,
  Fee,
  HttpMethod,
  Range,
  Transaction,
  EndpointUrl,
})

/** How many more exist than fit into the answer; absent where all fit. */
export const More = z.number().int().positive().optional()

/** The start of the next page, as given by the previous page. */
export const Cursor = z.string().min(1).max(512).optional()
