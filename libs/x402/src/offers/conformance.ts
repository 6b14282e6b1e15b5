/**
 * What can be wrong with a third party's offer. An issue of the first group breaks the version that the offer declares;
 * the second group is advice. `SCHEMA_…_MISSING` and `PAYTO_CHANGED` need more than one answer: the prober adds them.
 * @source issue codes of @agentcash/discovery 1.7.5, and our own additions
 */
export const VERSION_ISSUES = [
  'X402_NOT_OBJECT',
  'X402_VERSION_MISSING',
  'X402_VERSION_UNSUPPORTED',
  'X402_ACCEPTS_MISSING',
  'X402_ACCEPTS_INVALID',
  'X402_ACCEPTS_EMPTY',
  'X402_ACCEPT_ENTRY_INVALID',
  'NETWORK_CAIP2_INVALID',
  'NETWORK_EIP155_REFERENCE_INVALID',
  'NETWORK_REFERENCE_UNKNOWN',
  'OFFER_ONLY_IN_BODY',
  'OFFER_HEADER_UNREADABLE',
  'HEADER_BODY_DIFFER',
  'EIP712_DOMAIN_MISSING',
  'AMOUNT_NOT_POSITIVE',
  'PAYTO_INVALID',
] as const

export const ADVICE_ISSUES = [
  'SCHEMA_INPUT_MISSING',
  'SCHEMA_OUTPUT_MISSING',
  'ASSET_UNKNOWN',
  'CACHEABLE_402',
  'PAYTO_CHANGED',
  'HEADERS_OVERFLOW',
  'GATEWAY_BATCHED',
  'TRANSFER_METHOD_UNSUPPORTED',
  'PAYMENT_FLOW_UNKNOWN',
  'TIMEOUT_TOO_SHORT',
  'BEHIND_UNPAYABLE',
  'MPP_ALSO_OFFERED',
  'MPP_REQUEST_UNREADABLE',
  'ROUTE_BOUND',
] as const

export type ConformanceIssue = (typeof VERSION_ISSUES)[number] | (typeof ADVICE_ISSUES)[number]

/** How an offer was transported. */
export type OfferTransport = 'header' | 'body' | 'header+body' | 'www-authenticate' | 'none'

const VERSION: ReadonlySet<string> = new Set(VERSION_ISSUES)

/** Whether an offer conforms to the version it declares, apart from advice. */
export const isVersionConformant = (issues: readonly ConformanceIssue[]): boolean =>
  !issues.some((issue) => VERSION.has(issue))
