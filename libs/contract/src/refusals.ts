import { refusal } from './refusal.ts'

/** Refusals that only the edge gives, before or instead of a service's answer; every route can give them. */
export const edge = {
  invalidRequest: refusal('invalid_request', 400, 'The input does not fit the schema; `field` and `issues` say where.'),
  notFound: refusal('not_found', 404, 'There is no such route or resource.'),
  methodNotAllowed: refusal('method_not_allowed', 405, 'The path exists, but not with this method; see `Allow`.'),
  payloadTooLarge: refusal('payload_too_large', 413, 'The body is larger than the route accepts.'),
  unsupportedMediaType: refusal('unsupported_media_type', 415, 'The body must be `application/json`.'),
  headersTooLarge: refusal('headers_too_large', 431, 'The request headers are larger than the gateway accepts.'),
  unauthorized: refusal('unauthorized', 401, 'The credential is missing, expired, revoked or of the wrong kind.'),
  originMismatch: refusal('origin_mismatch', 403, 'A write with a session needs a same-origin `Origin` header.'),
  rateLimited: refusal('rate_limited', 429, 'Too many requests; `Retry-After` says when to come back.'),
  internal: refusal('internal_error', 500, 'A fault of ours; `request_id` names it in our logs.'),
  unavailable: refusal(
    'temporarily_unavailable',
    503,
    'A part that the answer needs is away; ask again after `Retry-After`.',
  ),
  deadline: refusal('deadline_exceeded', 504, 'The answer did not come within the request’s deadline.'),
} as const

// Services give some of the edge's refusals too, with the same status and meaning.
export const { notFound, invalidRequest, unauthorized, unavailable } = edge
export const invalidSignature = refusal(
  'invalid_signature',
  401,
  'The signature does not prove control of the wallet, or its message is not the one to sign.',
)
export const invalidState = refusal('invalid_state', 409, 'The listing’s state does not allow this change.')
export const slugTaken = refusal('slug_taken', 409, 'A listing of that name exists.')
export const keyLimit = refusal('key_limit', 409, 'The account holds as many active keys as it may.')
export const mirrored = refusal('mirrored', 409, 'A mirrored listing is never re-probed on request.')
export const noUsableChallenge = refusal(
  'no_usable_challenge',
  422,
  'An endpoint has no x402 challenge that can be paid here.',
)
export const endpointUnreachable = refusal(
  'endpoint_unreachable',
  422,
  'The endpoint could not be read; `state` says why.',
)
export const splitterNotDeployed = refusal(
  'splitter_not_deployed',
  422,
  'The fee splitter of the payout wallet is not deployed yet.',
)
export const unsupportedNetwork = refusal('unsupported_network', 422, 'Self-listing is not offered on that network.')
export const paymentRequired = refusal(
  'payment_required',
  402,
  'The call is paid; the offer is in the body and in `PAYMENT-REQUIRED`.',
)
export const paymentConflict = refusal(
  'payment_conflict',
  409,
  'The payment or its identifier was used for a different request.',
)
export const settlementPending = refusal(
  'settlement_pending',
  503,
  'The payment was sent and its outcome is not known yet; repeat the request with the same payment.',
)
