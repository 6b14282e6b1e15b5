import { z } from 'zod'
import { isObject, own } from '../json.ts'
import type { Extensions, OfferedExtension } from '../messages/payment-required.ts'

/** Key of the extension that names who brought a payment. */
export const BUILDER_CODE = 'builder-code'
/** The service code that proves a payment was routed by Callboard's console or client. */
export const ROUTING_PROOF = 'svc'
/** The most service codes a server may advertise. */
export const MAX_SERVER_SERVICES = 5
/** The most service codes in a payment: the server's, and five of the client's. */
export const MAX_ECHOED_SERVICES = 10
/** The most service codes on chain: those of the payment, and one of the facilitator's. */
export const MAX_SERVICES = 11

const CODE = '^[a-z0-9_]{1,32}$'
const Code = z.string().regex(new RegExp(CODE))

/**
 * Attribution codes: `a` the app that sells, `w` the facilitator that settles, `s` the services in between.
 * @source x402 extension builder-code; ERC-8021 schema 2
 */
export const BuilderCodes = z.strictObject({
  a: Code.optional(),
  w: Code.optional(),
  s: z.array(Code).max(MAX_SERVICES).optional(),
})
export type BuilderCodes = z.output<typeof BuilderCodes>

const EchoedCodes = z.object({
  a: Code.optional(),
  s: z
    .union([Code.transform((code) => [code]), z.array(Code)])
    .pipe(z.array(Code).max(MAX_ECHOED_SERVICES))
    .optional(),
})

const OfferedCodes = z.strictObject({ a: Code.optional(), s: z.array(Code).min(1).max(MAX_SERVER_SERVICES).optional() })

/**
 * The extension a server advertises: its app code and the services it builds on.
 * @throws ZodError when a code breaks the rules, which is the caller's mistake
 */
export const offerBuilderCode = (codes: z.output<typeof OfferedCodes>): OfferedExtension => ({
  info: OfferedCodes.parse(codes),
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      a: { type: 'string', pattern: CODE, description: 'App builder code' },
      w: { type: 'string', pattern: CODE, description: 'Wallet builder code' },
      s: {
        type: 'array',
        maxItems: MAX_ECHOED_SERVICES,
        items: { type: 'string', pattern: CODE },
        description: 'Service builder codes',
      },
    },
    additionalProperties: false,
  },
})

/** Reads a payment's codes, `s` as a list; undefined when there are none or they break the rules. */
export function readBuilderCodes(extensions: Extensions | undefined): BuilderCodes | undefined {
  const extension = extensions && own(extensions, BUILDER_CODE)
  const read = EchoedCodes.safeParse(isObject(extension) ? extension.info : undefined)
  return read.success && (read.data.a !== undefined || read.data.s?.length) ? read.data : undefined
}

/** Whether a payment carries our routing proof. */
export const isRoutedByUs = (extensions: Extensions | undefined): boolean =>
  readBuilderCodes(extensions)?.s?.includes(ROUTING_PROOF) ?? false

/** The advertised extensions with the routing proof appended to `s`; sent to every server, advertised or not. */
export function withRoutingProof(advertised: Extensions = {}): Extensions {
  const extension = own(advertised, BUILDER_CODE)
  const base = isObject(extension) ? extension : {}
  const info = isObject(base.info) ? base.info : {}
  const codes = info.s === undefined ? [] : [info.s].flat()
  const s = codes.includes(ROUTING_PROOF) ? codes : [...codes, ROUTING_PROOF]
  return { ...advertised, [BUILDER_CODE]: { ...base, info: { ...info, s } } }
}
