import { fromBase64, fromUtf8 } from './base64.ts'
import { type ConformanceIssue, isVersionConformant, type OfferTransport } from './conformance.ts'
import { type ForeignOffer, type ForeignOfferContext, readForeignOffer } from './foreign-offer.ts'
import { type HeaderValue, MAX_OFFER_HEADER, PAYMENT_REQUIRED_HEADER } from './headers.ts'
import { isObject, readJson, sameJson } from './json.ts'
import { type MppChallenge, readMppChallenges } from './mpp.ts'
import { V1_NETWORKS } from './v1-networks.ts'

/** An answer to an unpaid request, already bounded in size by whoever fetched it. */
export interface UnpaidAnswer {
  readonly status: number
  /** Header values by lower-cased name. */
  readonly headers: Readonly<Record<string, HeaderValue>>
  readonly bodyText: string
}

export type Challenge =
  | (ForeignOffer & {
      readonly kind: 'x402'
      readonly offerTransport: OfferTransport
      readonly versionConformant: boolean
      /** An MPP challenge that stood beside the offer. */
      readonly mpp?: MppChallenge
    })
  | {
      readonly kind: 'mpp'
      readonly challenge: MppChallenge
      readonly offerTransport: 'www-authenticate'
      readonly issues: readonly ConformanceIssue[]
    }
  | { readonly kind: 'plain'; readonly offerTransport: 'none' }

/** Above this many characters stock HTTP clients refuse the response head. */
const COMMON_HEADER_LIMIT = 16 * 1024

/**
 * Reads other people's 402. The `PAYMENT-REQUIRED` header counts first, then a JSON body with `accepts`, then
 * `WWW-Authenticate: Payment`. An offer beside an MPP challenge is x402, because that one can be paid.
 */
export function readChallenge(answer: UnpaidAnswer, context: Partial<ForeignOfferContext> = {}): Challenge {
  if (answer.status !== 402) return { kind: 'plain', offerTransport: 'none' }
  const header = readHeaderOffer(answer.headers[PAYMENT_REQUIRED_HEADER.toLowerCase()])
  const body = readBodyOffer(answer.bodyText)
  const [mpp] = readMppChallenges(list(answer.headers['www-authenticate']))
  const offer = header.offer ?? body
  if (!offer && mpp) {
    const issues: ConformanceIssue[] = mpp.request === null ? ['MPP_REQUEST_UNREADABLE'] : []
    return { kind: 'mpp', challenge: mpp, offerTransport: 'www-authenticate', issues }
  }
  if (!offer && header.issues.length === 0) return { kind: 'plain', offerTransport: 'none' }

  const read = offer ? readForeignOffer(offer, { networks: V1_NETWORKS, tokens: [], ...context }) : unreadable
  const issues = [
    ...header.issues,
    ...read.issues,
    ...transportIssues(header.offer, body),
    ...(isCacheable(answer.headers['cache-control']) ? (['CACHEABLE_402'] as const) : []),
    ...(mpp ? (['MPP_ALSO_OFFERED'] as const) : []),
  ]
  return {
    ...read,
    kind: 'x402',
    issues: [...new Set(issues)],
    offerTransport: header.offer ? (body ? 'header+body' : 'header') : body ? 'body' : 'header',
    versionConformant: isVersionConformant(issues),
    ...(mpp ? { mpp } : {}),
  }
}

const unreadable: ForeignOffer = { x402Version: null, accepts: [], issues: [] }

const list = (value: HeaderValue): readonly string[] => (value === undefined ? [] : [value].flat())

interface HeaderOffer {
  readonly offer?: Record<string, unknown>
  readonly issues: readonly ConformanceIssue[]
}

function readHeaderOffer(value: HeaderValue): HeaderOffer {
  const [text, ...others] = list(value)
  if (text === undefined) return { issues: [] }
  const overflow: ConformanceIssue[] = text.length > COMMON_HEADER_LIMIT ? ['HEADERS_OVERFLOW'] : []
  const bytes = others.length === 0 && text.length <= MAX_OFFER_HEADER ? fromBase64(text) : undefined
  const json = bytes && fromUtf8(bytes)
  const read = json === undefined ? undefined : readJson(json, 'finite')
  if (!read?.ok) return { issues: [...overflow, 'OFFER_HEADER_UNREADABLE'] }
  return isObject(read.value) ? { offer: read.value, issues: overflow } : { issues: [...overflow, 'X402_NOT_OBJECT'] }
}

function readBodyOffer(text: string): Record<string, unknown> | undefined {
  const read = text.trimStart().startsWith('{') ? readJson(text, 'finite') : undefined
  return read?.ok && isObject(read.value) && 'accepts' in read.value ? read.value : undefined
}

/** Version 2 belongs in the header and version 1 in the body. Both may stand side by side, one for each family of clients. */
function transportIssues(header?: Record<string, unknown>, body?: Record<string, unknown>): ConformanceIssue[] {
  if (!header) return body && body.x402Version !== 1 ? ['OFFER_ONLY_IN_BODY'] : []
  const isSameVersion = body !== undefined && body.x402Version === header.x402Version
  return isSameVersion && !sameJson(header.accepts, body.accepts) ? ['HEADER_BODY_DIFFER'] : []
}

/** A 402 is stored by caches only when told so in so many words. */
function isCacheable(value: HeaderValue): boolean {
  const directives = list(value).join(',').toLowerCase()
  return !/no-store|private/.test(directives) && /public|(?:max-age|s-maxage)\s*=\s*"?[1-9]/.test(directives)
}
