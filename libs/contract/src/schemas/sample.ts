import { z } from 'zod'

const MAX_CHARACTERS = 8 * 1024
/** Escapes that Postgres cannot store in jsonb: NUL, and halves of surrogate pairs. */
const NOT_STORABLE = /\\u(0000|d[89a-f])/i
/** Names that carry credentials or payments, or that change the meaning of a request for others. */
const RESERVED =
  /key|token|secret|auth|session|cookie|passw|signature|payment|^x-(forwarded|real|original|rewrite|http-method|amz|goog|envoy|middleware|nextjs)/

const HeaderName = z
  .string()
  .regex(
    /^(accept|accept-language|[a-z-]{0,32}version|x-[a-z0-9-]{1,60})$/,
    'must be accept, accept-language, …version or x-…',
  )
  .refine((name) => !RESERVED.test(name), 'carries credentials or is reserved')

/** A sample as JSON; undefined if it is too long, as one is that is nested too deeply to be written. */
function shortJson(sample: object): string | undefined {
  try {
    const json = JSON.stringify(sample)
    return json.length <= MAX_CHARACTERS ? json : undefined
  } catch {
    return undefined
  }
}

/**
 * What a probe sends in addition to the URL, for endpoints that validate a request before they ask for payment. Not
 * secret: it is stored with the listing and sent with every check.
 */
export const EndpointSample = z
  .strictObject({
    /** A JSON body that passes the endpoint's validation. */
    body: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
    /** JSON Schema of the body: a sample is generated from it where there is no `body`. */
    schema: z.record(z.string(), z.unknown()).optional(),
    /** Query parameters; those of the URL itself take precedence. */
    query: z
      .record(z.string().min(1).max(64), z.string().max(512))
      .refine((query) => Object.keys(query).length <= 16, 'holds more than 16 parameters')
      .optional(),
    /** Request headers, in lower case; none that carries a credential. */
    headers: z
      .record(HeaderName, z.string().regex(/^[\x20-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters'))
      .refine((headers) => Object.keys(headers).length <= 8, 'holds more than 8 headers')
      .optional(),
  })
  .refine((sample) => shortJson(sample) !== undefined, `is longer than ${MAX_CHARACTERS} characters`)
  .refine((sample) => !NOT_STORABLE.test(shortJson(sample) ?? ''), 'holds NUL or half a surrogate pair')
export type EndpointSample = z.output<typeof EndpointSample>
