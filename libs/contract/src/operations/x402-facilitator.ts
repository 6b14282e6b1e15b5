import { Hash32, PaymentRequired, SettleResponse, VerifyResponse } from '@callboard/x402'
import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { operation } from '../operation.ts'
import {
  gasBudgetSpent,
  invalidRequest,
  paymentConflict,
  paymentRequired,
  settlementPending,
  unavailable,
  unsupportedNetwork,
} from '../refusals.ts'
import { NetworkHealth } from '../schemas/network-health.ts'
import { Requester } from '../schemas/requester.ts'
import { DiscoveredResource } from '../schemas/resource.ts'
import { Address, Network, queryInt, Usd } from '../schemas/words.ts'

/**
 * The body of `/x402/verify` and `/x402/settle`. The facilitator parses both inner objects by their protocol version,
 * because a faulty payment gets an answer (`invalidReason`) and is not a bad request.
 */
export const FacilitatorRequest = z.object({
  x402Version: z.union([z.literal(1), z.literal(2)], { error: 'must be 1 or 2' }),
  paymentPayload: z.record(z.string(), z.unknown()),
  paymentRequirements: z.record(z.string(), z.unknown()),
})
export type FacilitatorRequest = z.output<typeof FacilitatorRequest>

/** The state of a payment in our records. `unknown`: it was sent, and the chain has not shown whether it is paid. */
export const PaymentState = z.enum(['absent', 'claimed', 'unknown', 'settled', 'failed'])

const Supported = z.object({
  kinds: z.array(
    z.object({
      x402Version: z.number().int(),
      scheme: z.string(),
      network: z.string(),
      extra: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  extensions: z.array(z.string()),
  signers: z.record(z.string(), z.array(Address)),
})

export const supported = operation({
  id: 'x402-facilitator.supported',
  summary: 'The payment kinds that this facilitator settles',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/x402/supported', auth: 'none', limit: 'read', ok: 200, cache: 'public, max-age=60' },
  input: z.strictObject({}),
  output: Supported,
  errors: [],
})

export const verify = operation({
  id: 'x402-facilitator.verify',
  summary: 'Check whether a payment would settle; no funds move',
  timeoutMs: 15_000,
  http: { method: 'POST', path: '/x402/verify', auth: 'none', limit: 'facilitator', ok: 200, strictJson: true },
  input: FacilitatorRequest,
  output: VerifyResponse,
  errors: [invalidRequest, unavailable],
})

export const settle = operation({
  id: 'x402-facilitator.settle',
  summary: 'Settle a payment on chain once; a repeated request gets the stored outcome',
  timeoutMs: 80_000,
  http: {
    method: 'POST',
    path: '/x402/settle',
    auth: 'optional',
    limit: 'facilitator',
    ok: 200,
    strictJson: true,
    requester: true,
  },
  /** Gas is counted per requester; a credential raises what its holder may spend. Internal calls have no requester. */
  input: FacilitatorRequest.extend({ requester: Requester.optional() }),
  output: SettleResponse,
  errors: [invalidRequest, gasBudgetSpent, unavailable],
})

/** The filters of both discovery routes; all that are given must match. */
const resourceFilter = {
  type: z.enum(['http', 'mcp']).optional(),
  payTo: Address.optional(),
  scheme: z.string().max(64).optional(),
  network: Network.optional(),
  /** An extension's name in the resource's own offer. */
  extensions: z.string().max(128).optional(),
  limit: queryInt(1, 100).default(20),
}

/**
 * Oldest listing first, so that pages are stable and no seller can pay to be first. A resource is listed once it was
 * paid through us and our own probe of its URL read an offer naming the payee that was paid.
 * @source x402 v2 specification, facilitator discovery
 */
export const discoveryResources = operation({
  id: 'x402-facilitator.discoveryResources',
  summary: 'Resources that were paid through this facilitator, as their own offers describe them',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/x402/discovery/resources',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=15',
  },
  input: z.object({
    ...resourceFilter,
    offset: queryInt(0, 100_000).default(0),
  }),
  output: z.object({
    x402Version: z.literal(2),
    items: z.array(DiscoveredResource),
    pagination: z.object({ limit: z.number().int(), offset: z.number().int(), total: z.number().int() }),
  }),
  errors: [],
})

/** @source specs/extensions/bazaar.md; `withBazaar(…).search()` of @x402/extensions 2.27 */
export const discoverySearch = operation({
  id: 'x402-facilitator.discoverySearch',
  summary: 'Search the resources that were paid through this facilitator',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/x402/discovery/search',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=15',
  },
  input: z.strictObject({
    /** Plain words. Resources that match all of them come first, then those that match some. */
    query: z.string().trim().min(1).max(400),
    ...resourceFilter,
    cursor: z.string().max(4096).optional(),
  }),
  output: z.object({
    x402Version: z.literal(2),
    resources: z.array(DiscoveredResource),
    /** True when there are more matches than shown. */
    partialResults: z.boolean(),
    pagination: z.object({ limit: z.number().int(), cursor: z.string().nullable() }).nullable(),
  }),
  errors: [invalidRequest],
})

/** @source e2e harness of the x402 repository, which waits for 200 */
export const health = operation({
  id: 'x402-facilitator.health',
  summary: 'Whether payments can be settled now, by network; 503 when none can',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/x402/health', auth: 'none', limit: 'read', ok: 200, cache: 'public, max-age=2' },
  input: z.strictObject({}),
  output: z.object({ status: z.enum(['ok', 'degraded']), networks: z.array(NetworkHealth) }),
  errors: [unavailable],
})

/** One remark of the decoder. */
const Finding = z.object({ code: z.string(), message: z.string() })

export const decode = operation({
  id: 'x402-facilitator.decode',
  summary: 'Decode a payment authorization, and report what is right and wrong with it',
  timeoutMs: 80_000,
  http: {
    method: 'POST',
    path: '/x402/decode',
    auth: 'none',
    limit: 'payment',
    ok: 200,
    paid: true,
    strictJson: true,
  },
  input: z
    .strictObject({
      /** The value of a `PAYMENT-SIGNATURE` or `X-PAYMENT` header. */
      header: z.string().min(1).max(32_768).optional(),
      /** The same payload as JSON. */
      payload: z.record(z.string(), z.unknown()).optional(),
    })
    .refine((body) => (body.header === undefined) !== (body.payload === undefined), {
      error: 'exactly one of header and payload must be given',
      path: ['header'],
    })
    .meta({ minProperties: 1, maxProperties: 1 }),
  output: z.object({
    result: z.object({
      x402Version: z.number().int(),
      scheme: z.string(),
      network: z.string(),
      asset: z.string().nullable(),
      authorization: z
        .object({
          from: z.string(),
          to: z.string(),
          value: z.string(),
          validAfter: z.string(),
          validBefore: z.string(),
          nonce: z.string(),
        })
        .nullable(),
      /** The EIP-712 digest that was signed; null when the token's domain is not known. */
      digest: Hash32.nullable(),
      /** The signer by ECDSA recovery; null for other kinds of signature. */
      recoveredSigner: Address.nullable(),
      /** Seconds until `validBefore`; negative once past. */
      secondsLeft: z.number().int().nullable(),
      extensions: z.record(z.string(), z.unknown()).nullable(),
      findings: z.array(Finding),
    }),
    settlement: SettleResponse,
  }),
  errors: [invalidRequest, paymentRequired, paymentConflict, gasBudgetSpent, settlementPending, unavailable],
})

/** The offer of a paid route, which the gateway sends before it reads the body. */
export const offer = operation({
  id: 'x402-facilitator.offer',
  summary: 'The offer for one of our own paid operations',
  timeoutMs: 5_000,
  input: z.object({
    operation: z.string(),
    resourceUrl: z.url(),
    error: z.string().optional(),
    priceUsd: Usd.optional(),
  }),
  output: z.object({
    paymentRequired: PaymentRequired,
    /** The version 1 body, where the route also sells to version 1 clients. */
    v1: z.record(z.string(), z.unknown()).nullable(),
    priceUsd: Usd,
  }),
  errors: [],
})

/** `network/asset/from/nonce` in lower case, as `paymentKey` of libs/x402 writes it. */
const PaymentKey = z.string().min(1).max(512)

export const purchase = operation({
  id: 'x402-facilitator.purchase',
  summary: 'Settle the presented payment for a sale of another service, bound to its request and its owner',
  timeoutMs: 80_000,
  input: z.object({
    operation: z.string(),
    /** The buyer, to whom identifiers are bound; the request's fingerprint also includes it. */
    owner: Address,
    description: z.string(),
    priceUsd: Usd,
  }),
  /** The payment that settled: an earlier one if its identifier names the same purchase. */
  output: z.object({ paymentKey: PaymentKey, settlement: SettleResponse }),
  errors: [invalidRequest, paymentRequired, paymentConflict, gasBudgetSpent, settlementPending, unavailable],
})

export const purchaseState = operation({
  id: 'x402-facilitator.purchaseState',
  summary: 'The state of a purchase; also `absent` if the payment was presented for something else',
  timeoutMs: 5_000,
  input: z.object({ operation: z.string(), paymentKey: PaymentKey, requestFingerprint: Hash32 }),
  /** The transaction is empty text where none was sent. */
  output: z.object({ state: PaymentState, transaction: z.string() }),
  errors: [],
})

/** Called only by `router`. Only a local chain has a faucet: its node holds the keys of publicly known accounts. */
export const faucet = operation({
  id: 'x402-facilitator.faucet',
  summary: 'Get test USDC for a wallet on the local chain',
  timeoutMs: 20_000,
  input: z.object({
    network: Network,
    wallet: Address,
    amountUsd: z.string().regex(/^[1-9]\d{0,2}(\.\d{1,2})?$/),
  }),
  output: z.object({ transaction: Hash32 }),
  errors: [unsupportedNetwork, unavailable],
})

/**
 * What the chain and our records say of a payment, for those who know its authorization: a waiting seller, or its
 * buyer.
 */
export const status = operation({
  id: 'x402-facilitator.status',
  summary: 'The state of a payment, by its key',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/x402/payments', auth: 'none', limit: 'read', ok: 200 },
  input: z.strictObject({ network: Network, asset: Address, from: Address, nonce: Hash32 }),
  output: z.object({ state: PaymentState, settlement: SettleResponse.nullable() }),
  errors: [invalidRequest],
})

export const openapi = operation({
  id: 'x402-facilitator.openapi',
  summary: 'The OpenAPI document of the paid routes, as crawlers read it',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/x402/openapi.json',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=300',
  },
  input: z.strictObject({}),
  output: z.record(z.string(), z.unknown()),
  errors: [],
})

/** @source the `/.well-known/x402` form that x402 crawlers read; no RFC */
export const wellKnown = operation({
  id: 'x402-facilitator.wellKnown',
  summary: 'Our public x402 resources',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/.well-known/x402',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=300',
  },
  input: z.strictObject({}),
  output: z.object({ version: z.literal(1), resources: z.array(z.string()), instructions: z.string().optional() }),
  errors: [],
})

nameSchemas({ FacilitatorRequest, SupportedPayments: Supported, DecodeFinding: Finding })
