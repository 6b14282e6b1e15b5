import { z } from 'zod'
import { refusal } from './refusal.ts'
import { FieldIssue } from './schemas/field-issue.ts'
import { ProbeState } from './schemas/liveness.ts'
import { NetworkHealth } from './schemas/network-health.ts'

/** The hash of the transaction sent; absent where none was. */
const transaction = z.string().optional()

/** Refusals that only the edge sends, before or instead of a service's answer; any route may return them. */
export const edge = {
  invalidRequest: refusal(
    'invalid_request',
    400,
    'The input does not match the schema; `field` and `issues` say where.',
    {
      issues: z.array(FieldIssue).optional(),
    },
  ),
  notFound: refusal('not_found', 404, 'There is no such route or resource.'),
  methodNotAllowed: refusal('method_not_allowed', 405, 'The path exists, but not with this method; see `Allow`.'),
  notAcceptable: refusal(
    'not_acceptable',
    406,
    'The client accepts none of the available content codings: `identity`, `gzip` and `br`.',
  ),
  requestTimeout: refusal('request_timeout', 408, 'The request did not arrive completely in time; send it again.'),
  payloadTooLarge: refusal('payload_too_large', 413, 'The body is larger than the route accepts.'),
  unsupportedMediaType: refusal(
    'unsupported_media_type',
    415,
    'The body must be `application/json`; OAuth routes also accept a form.',
  ),
  headersTooLarge: refusal('headers_too_large', 431, 'The request headers are larger than the gateway accepts.'),
  unauthorized: refusal('unauthorized', 401, 'The credential is missing, expired, revoked or of the wrong kind.'),
  insufficientScope: refusal('insufficient_scope', 403, 'The access token lacks the scope of this route.'),
  originMismatch: refusal('origin_mismatch', 403, 'A write with a session needs a same-origin `Origin` header.'),
  unsolicited: refusal(
    'unsolicited_request',
    403,
    'This GET changes something: a browser may not prefetch it or send it from another site.',
  ),
  rateLimited: refusal('rate_limited', 429, 'Too many requests; `Retry-After` says when to try again.'),
  internal: refusal('internal_error', 500, 'An error on our side; `request_id` identifies it in our logs.', {
    request_id: z.string(),
  }),
  unavailable: refusal(
    'temporarily_unavailable',
    503,
    'A part that the answer needs is unavailable; try again after `Retry-After`.',
    {
      scope: z.enum(['chain', 'new_payers', 'new_contracts']).optional(),
      networks: z.array(NetworkHealth).optional(),
    },
  ),
  deadline: refusal(
    'deadline_exceeded',
    504,
    'The answer did not arrive in time, or the process that worked on it stopped responding; it is not known what was done.',
  ),
} as const

// Services return some of the edge's refusals too, with the same status and meaning.
export const { notFound, invalidRequest, unauthorized, unavailable, rateLimited } = edge
export const invalidSignature = refusal(
  'invalid_signature',
  401,
  'The signature does not prove control of the wallet, or it signs a message other than the expected one.',
)
export const invalidState = refusal(
  'invalid_state',
  409,
  'The state of the listing or posting does not allow this change.',
)
export const slugTaken = refusal(
  'slug_taken',
  409,
  'A listing with that name exists or was withdrawn recently; the message says what you can do.',
)
export const listingLimit = refusal(
  'listing_limit',
  409,
  'The owner, or the site of an endpoint, has as many listings as allowed; `scope` says which.',
)
export const postingLimit = refusal(
  'posting_limit',
  409,
  'The limit of open postings is reached for the owner, for the network that the request comes from, or in total; `scope` says which.',
)
export const nameResemblesVerified = refusal(
  'name_resembles_verified',
  409,
  'The name can be mistaken for that of another owner’s verified listing.',
)
export const ownerApprovalRequired = refusal(
  'owner_approval_required',
  403,
  'A trusted device approved this agent, but its owner did not; a device’s trust does not cover the owner’s balance.',
)
export const keyLimit = refusal(
  'key_limit',
  409,
  'The account has as many active keys as allowed; end one to make another.',
)
export const mirrored = refusal('mirrored', 409, 'A mirrored listing is never re-probed on request.')
export const notPayee = refusal(
  'not_payee',
  403,
  'The wallet that signed is not the payee of the origin’s listings; the message says what our probes read.',
)
export const noListings = refusal('no_listings', 404, 'No listing of the origin is mirrored here.')
export const alreadyOwned = refusal(
  'already_owned',
  409,
  'Every listing of the origin that pays the wallet is already claimed.',
)
export const noUsableChallenge = refusal(
  'no_usable_challenge',
  422,
  'An endpoint has no x402 challenge that can be paid here.',
  { state: ProbeState.optional() },
)
export const offerAvoidsSplitter = refusal(
  'offer_avoids_splitter',
  422,
  'An endpoint’s 402 offers a payment to an address other than the listing’s fee splitter; `entry` is that payment option.',
  {
    entry: z.object({
      scheme: z.string(),
      network: z.string(),
      asset: z.string(),
      amount: z.string(),
      payTo: z.string(),
    }),
  },
)
export const endpointUnreachable = refusal(
  'endpoint_unreachable',
  422,
  'The endpoint could not be read; `state` says why.',
  { state: ProbeState },
)
export const splitterNotDeployed = refusal(
  'splitter_not_deployed',
  422,
  'The fee splitter of the payout wallet is not deployed yet.',
)
export const unsupportedNetwork = refusal('unsupported_network', 422, 'This is not offered on that network.')
export const paymentRequired = refusal(
  'payment_required',
  402,
  'The call must be paid for; the offer is in the body and in `PAYMENT-REQUIRED`.',
)
export const ownerRequired = refusal(
  'owner_required',
  401,
  'A balance belongs to an owner: the request needs an owner’s session, API key or agent token.',
)
export const insufficientQuota = refusal(
  'insufficient_quota',
  402,
  'The key’s Compute or balance does not cover the call; `limit` says which is exhausted, `remainingUsd` says what remains, and `PAYMENT-REQUIRED` what would buy more.',
  {
    limit: z.enum(['owner', 'agent', 'key', 'balance']),
    remainingUsd: z.string(),
    resetsAt: z.string().nullable(),
    /** The smallest top-up that would cover the call; its offer is in `PAYMENT-REQUIRED`. Absent where none would. */
    topUpUsd: z.string().optional(),
  },
)
export const modelNotFound = refusal(
  'model_not_found',
  404,
  'There is no such model here; `GET /v1/models` lists them.',
)
export const callUnderWay = refusal(
  'call_under_way',
  409,
  'The call is in progress; its receipt is created when the call is settled.',
)
export const upstreamError = refusal(
  'upstream_error',
  502,
  'The model’s provider failed, and nothing was charged; you may repeat the request.',
)
export const onrampUnavailable = refusal(
  'onramp_unavailable',
  503,
  'This instance sells no USDC, because no onramp provider is configured for the network; send USDC to the wallet instead.',
)
export const onrampFailed = refusal(
  'onramp_failed',
  502,
  'The onramp provider refused the session or did not answer in time; the message says which. Nothing was bought.',
)
export const paymentConflict = refusal(
  'payment_conflict',
  409,
  'The payment or its identifier was used for a different request.',
)
export const settlementPending = refusal(
  'settlement_pending',
  503,
  'The payment was sent, but its outcome is not known yet; repeat the request with the same payment.',
  { transaction },
)

export const gasBudgetSpent = refusal(
  'gas_budget_spent',
  429,
  'Payments of this payer, payee, requester or key cost too much gas; `scope` says whose, and `Retry-After` when to try again.',
  { scope: z.enum(['payer', 'payee', 'requester', 'owner']) },
)

// RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8628 §3.5, RFC 8707 §2, RFC 6750 §3.1: codes that OAuth clients act upon.
export const invalidScope = refusal('invalid_scope', 400, 'The scope is unknown, or exceeds what may be requested.')
export const invalidGrant = refusal(
  'invalid_grant',
  400,
  'The code or refresh token is unknown, used, expired, revoked, or issued to another client.',
)
export const invalidClient = refusal('invalid_client', 401, 'The client is unknown, or failed to authenticate.')
export const invalidTarget = refusal('invalid_target', 400, 'The resource is not one of ours, or was not granted.')
export const unauthorizedClient = refusal('unauthorized_client', 400, 'The client may not use this grant type.')
export const unsupportedGrantType = refusal('unsupported_grant_type', 400, 'The grant type is not offered here.')
export const authorizationPending = refusal('authorization_pending', 400, 'The owner has not decided yet; poll again.')
export const slowDown = refusal(
  'slow_down',
  400,
  'The client polled before the interval was over; the interval grows by 5 s.',
  {
    interval: z.number().int(),
  },
)
export const accessDenied = refusal('access_denied', 400, 'The owner refused.')
export const expiredToken = refusal('expired_token', 400, 'The device code is too old; start again.')

export const invalidRedirectUri = refusal(
  'invalid_redirect_uri',
  400,
  'A redirect URI is not one to which clients may be sent.',
)
export const invalidClientMetadata = refusal(
  'invalid_client_metadata',
  400,
  'A member of the client’s metadata is not acceptable here; `error_description` names it.',
)

export const invalidAgentSignature = refusal(
  'invalid_agent_signature',
  401,
  'The agent’s message is not the expected one, its nonce is spent, or the signature is not the wallet’s.',
)
export const notAnAgent = refusal('not_an_agent', 403, 'The credential is not an agent’s access token.')
export const linkLimit = refusal('link_limit', 409, 'The owner has as many linked agents as allowed.')
export const freshSignatureRequired = refusal(
  'fresh_signature_required',
  403,
  'This request grants so much that the owner’s wallet must have signed within the last 15 minutes: sign in again with `POST /api/auth/session`, and repeat the request.',
  { maxAgeSeconds: z.number().int() },
)
export const alreadyDecided = refusal(
  'already_decided',
  409,
  'The request has already been approved or denied, or has expired.',
)

export const noDevice = refusal(
  'no_device',
  409,
  'The agent was linked without naming a device, and a backup belongs to a device.',
)
export const backupLimit = refusal('backup_limit', 409, 'The owner has backups of as many devices as allowed.')
export const preconditionFailed = refusal(
  'precondition_failed',
  412,
  'The stored version does not satisfy `If-Match` or `If-None-Match`.',
)
export const relayCodeTaken = refusal('relay_code_taken', 409, 'A relay with this code exists.')
export const relayOfAnother = refusal('relay_of_another', 409, 'Another owner opened the relay first.')
export const relayUnopened = refusal('relay_unopened', 409, 'The relay must be opened before it is answered.')
export const relaySealed = refusal('relay_sealed', 409, 'The relay has already been answered.')
export const recipientNotAllowed = refusal(
  'recipient_not_allowed',
  403,
  'An agent’s transfer must go from its own wallet to its owner or an active sibling.',
)
export const transferFailed = refusal(
  'transfer_failed',
  422,
  'The authorization moves nothing; `reason` says why, in the terms of x402.',
  { reason: z.string(), transaction },
)
