import { AddressText } from '@callboard/x402'
import { z } from 'zod'
import { AgentClientId, Scope } from './schemas/agent.ts'
import { Requester } from './schemas/requester.ts'

/** On whose authority a request is made, as the gateway established it and the bus carries it. */
export const Caller = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('anonymous') }),
  /** An owner in a browser. */
  z.object({
    kind: z.literal('session'),
    owner: AddressText,
    sessionId: z.string(),
    /** When the wallet signed; absent where the previous release introspected the session. */
    signedInAt: z.iso.datetime().optional(),
    expiresAt: z.iso.datetime(),
  }),
  /** An API key: full authority over its owner's listings. */
  z.object({ kind: z.literal('api_key'), owner: AddressText, keyId: z.string() }),
  /** An agent by its access token. A link is the grant of one owner to one agent wallet. */
  z.object({
    kind: z.literal('agent'),
    owner: AddressText,
    clientId: AgentClientId,
    linkId: z.string(),
    scopes: z.array(Scope),
  }),
  /** Another OAuth client by its access token. */
  z.object({
    kind: z.literal('client'),
    owner: AddressText,
    clientId: z.string(),
    familyId: z.string(),
    scopes: z.array(Scope),
    /** The resource that the token is for (RFC 8707): the whole service, or exactly one endpoint of it. */
    audience: z.url(),
  }),
])
export type Caller = z.output<typeof Caller>

export const anonymous: Caller = { kind: 'anonymous' }

/** A payment as the gateway decoded it from the request's header, bound to that request. */
export const PresentedPayment = z.object({
  /** The decoded header. The facilitator parses it by version, because a faulty payload gets an explanatory answer. */
  payload: z.record(z.string(), z.unknown()),
  /** Which header carried it; a version 1 payment is answered in version 1. */
  x402Version: z.union([z.literal(1), z.literal(2)]),
  /** SHA-256 over method, path, query and body: what the payment is for. */
  requestFingerprint: z.string().regex(/^0x[0-9a-f]{64}$/),
  resourceUrl: z.url(),
  /** Who presents it, whose gas is counted; absent where a gateway of the previous release asks. */
  requester: Requester.optional(),
})
export type PresentedPayment = z.output<typeof PresentedPayment>
