import { fromBase64, fromUtf8 } from '../base64.ts'
import { isObject, readJson, sameJson } from '../json.ts'
import { type HeaderValue, MAX_OFFER_HEADER, PAYMENT_REQUIRED_HEADER } from '../messages/headers.ts'
import { V1_NETWORKS } from '../messages/v1-networks.ts'
import { type ConformanceIssue, isVersionConformant, type OfferTransport } from './conformance.ts'
import { type ForeignOffer, type ForeignOfferContext, readForeignOffer } from './foreign-offer.ts'
import { bindsRoute, type MppChallenge, parseWwwAuthenticate, readMppChallenges } from './mpp.ts'
import { unless } from './stock-client.ts'

/** An answer to an unpaid request, already bounded in size by the fetch. */
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
      /** MPP challenges sent along with the offer, in order. */
      readonly mpp: readonly MppChallenge[]
    })
  | {
      readonly kind: 'mpp'
      /** In order; at least one. */
      readonly challenges: readonly [MppChallenge, ...MppChallenge[]]
      readonly offerTransport: 'www-authenticate'
      readonly issues: readonly ConformanceIssue[]
    }
  | {
      readonly kind: 'plain'
      readonly offerTransport: 'none'
      /** The other schemes of `WWW-Authenticate`, in lower case. */
      readonly authSchemes: readonly string[]
    }

/** From this many characters on, stock HTTP clients refuse the response head. */
const COMMON_HEADER_LIMIT = 16 * 1024

/**
 * Reads a third party's 402. The `PAYMENT-REQUIRED` header takes precedence, then a JSON body with `accepts`, then
 * `WWW-Authenticate: Payment`. An offer next to an MPP challenge is x402, because x402 can be paid here.
 */
export function readChallenge(answer: UnpaidAnswer, context: Partial<ForeignOfferContext> = {}): Challenge {
  if (answer.status !== 402) return plain(answer)
  const header = readHeaderOffer(answer.headers[PAYMENT_REQUIRED_HEADER.toLowerCase()])
  const body = readBodyOffer(answer.bodyText)
  const mpp = readMppChallenges(list(answer.headers['www-authenticate']))
  const [first, ...others] = mpp
  const offer = header.offer ?? body
  if (!offer && first) {
    const issues: ConformanceIssue[] = mpp.some(({ request }) => request === null) ? ['MPP_REQUEST_UNREADABLE'] : []
    return { kind: 'mpp', challenges: [first, ...others], offerTransport: 'www-authenticate', issues }
  }
  if (!offer && header.issues.length === 0) return plain(answer)

  const known = { networks: V1_NETWORKS, tokens: [], ...context }
  const read = offer ? asTransported(readForeignOffer(offer, known), header, answer) : unreadable
  const beside = header.offer && body && !sameJson(header.offer, body) ? readForeignOffer(body, known) : undefined
  const issues = [
    ...(isHeadTooLong(answer) ? (['HEADERS_OVERFLOW'] as const) : []),
    ...header.issues,
    ...read.issues,
    ...transportIssues(header.offer, body),
    ...(isCacheable(answer.headers['cache-control']) ? (['CACHEABLE_402'] as const) : []),
    ...(first ? (['MPP_ALSO_OFFERED'] as const) : []),
    ...(bindsRoute(read.extensions) ? (['ROUTE_BOUND'] as const) : []),
  ]
  return {
    ...(beside ? withThoseOf(beside, read) : read),
    kind: 'x402',
    issues: [...new Set(issues)],
    offerTransport: header.offer ? (body ? 'header+body' : 'header') : body ? 'body' : 'header',
    versionConformant: isVersionConformant(issues),
    mpp,
  }
}

const unreadable: ForeignOffer = { x402Version: null, accepts: [], payability: [], unread: [], issues: [] }

const plain = ({ headers }: UnpaidAnswer): Challenge => {
  const schemes = parseWwwAuthenticate(list(headers['www-authenticate'])).map(({ scheme }) => scheme.toLowerCase())
  return { kind: 'plain', offerTransport: 'none', authSchemes: [...new Set(schemes)] }
}

/** Adjusts an offer for its transport: clients that cannot read it there cannot pay any of its entries. */
function asTransported(offer: ForeignOffer, header: HeaderOffer, answer: UnpaidAnswer): ForeignOffer {
  const isInPlace = header.offer !== undefined || (header.issues.length === 0 && offer.x402Version === 1)
  return (isInPlace && !isHeadTooLong(answer)) || offer.x402Version === null
    ? offer
    : { ...offer, payability: offer.payability.map((verdict) => unless(verdict, 'transport')) }
}

/**
 * Merges the entries of another offer, found in the body. Stock clients read the body for version 1 only, and only
 * without a header; old clients read nothing else, so these entries are shown too.
 */
function withThoseOf(body: ForeignOffer, header: ForeignOffer): ForeignOffer {
  const added = body.accepts
    .map((entry, at) => ({ entry, verdict: body.payability[at] }))
    .filter(({ entry }) => !header.accepts.some((known) => sameJson(known, entry)))
  return {
    ...header,
    accepts: [...header.accepts, ...added.map(({ entry }) => entry)],
    payability: [
      ...header.payability,
      ...added.flatMap(({ verdict }) => (verdict ? unless(verdict, 'transport') : [])),
    ],
  }
}

/** @source undici 8, whose fetch counts names and values against 16 KiB; Node's own limit for the head is the same */
function isHeadTooLong({ headers }: UnpaidAnswer): boolean {
  const lengths = Object.entries(headers).flatMap(([name, value]) => list(value).map((one) => name.length + one.length))
  return lengths.reduce((sum, length) => sum + length, 0) >= COMMON_HEADER_LIMIT
}

const list = (value: HeaderValue): readonly string[] => (value === undefined ? [] : [value].flat())

interface HeaderOffer {
  readonly offer?: Record<string, unknown>
  readonly issues: readonly ConformanceIssue[]
}

function readHeaderOffer(value: HeaderValue): HeaderOffer {
  const [text = '', ...others] = list(value)
  if (text === '' && others.length === 0) return { issues: [] }
  const bytes = others.length === 0 && text.length <= MAX_OFFER_HEADER ? fromBase64(text) : undefined
  const json = bytes && fromUtf8(bytes)
  const read = json === undefined ? undefined : readJson(json, 'finite')
  if (!read?.ok) return { issues: ['OFFER_HEADER_UNREADABLE'] }
  return isObject(read.value) ? { offer: read.value, issues: [] } : { issues: ['X402_NOT_OBJECT'] }
}

function readBodyOffer(text: string): Record<string, unknown> | undefined {
  const read = text.trimStart().startsWith('{') ? readJson(text, 'finite') : undefined
  return read?.ok && isObject(read.value) && 'accepts' in read.value ? read.value : undefined
}

/** Version 2 belongs in the header, version 1 in the body. An offer may use both, one for each family of clients. */
function transportIssues(header?: Record<string, unknown>, body?: Record<string, unknown>): ConformanceIssue[] {
  if (!header) return body && body.x402Version !== 1 ? ['OFFER_ONLY_IN_BODY'] : []
  const isSameVersion = body !== undefined && body.x402Version === header.x402Version
  return isSameVersion && !sameJson(header.accepts, body.accepts) ? ['HEADER_BODY_DIFFER'] : []
}

/** Caches store a 402 only when its headers say so explicitly. */
function isCacheable(value: HeaderValue): boolean {
  const directives = list(value).join(',').toLowerCase()
  return !/no-store|private/.test(directives) && /public|(?:max-age|s-maxage)\s*=\s*"?[1-9]/.test(directives)
}
