import type { HttpMethod, ProbeFinding } from '@callboard/contract'
import { type Challenge, isObject, type NotPayableReason, readJson, type UnreadEntry } from '@callboard/x402'
import { type Answer, codingsOf, firstValue, isDecodable, isPage } from './answer.ts'
import { botWallOf } from './bot-wall.ts'

/** Classifies an answer by its status, by what it asks for, and by the protocol whose words it uses. */
export function findingOf(answer: Answer, challenge: Challenge): ProbeFinding {
  const { status } = answer
  if (status === 402 && challenge.kind !== 'plain') return findingOf402(answer, challenge)
  const wall = botWallOf(answer)
  if (wall) return wall
  if (status === 402) return findingOf402(answer, challenge)
  if (status === 429) return 'rate_limited'
  const isServerError = status >= 500 && status !== 501
  const server = isServerError ? undefined : otherServer(answer)
  if (server) return server
  if (isServerError) return 'server_error'
  if (status >= 400) return REFUSALS.get(status) ?? 'refused'
  if (status >= 300) return 'redirect'
  return isPage(answer.headers) ? 'free_page' : 'free'
}

const REFUSALS: ReadonlyMap<number, ProbeFinding> = new Map([
  [400, 'wants_input'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'method_refused'],
  [410, 'not_found'],
  [415, 'wants_input'],
  [422, 'wants_input'],
  [501, 'method_refused'],
])

/** Reasons that concern the payer, or us: on another chain, by another scheme or token the offer may well be sound. */
const PAYABLE_ELSEWHERE: ReadonlySet<NotPayableReason> = new Set([
  'scheme',
  'network',
  'asset',
  'gateway-batched',
  'transfer-method',
])

/** Lightning's own challenges; LSAT is the older name. */
const L402 = ['l402', 'lsat']

function findingOf402({ headers }: Answer, challenge: Challenge): ProbeFinding {
  if (challenge.kind === 'mpp') return 'mpp'
  if (challenge.kind === 'plain') {
    if (challenge.authSchemes.some((scheme) => L402.includes(scheme))) return 'l402'
    return isDecodable(codingsOf(headers['content-encoding'])) ? 'offer_missing' : 'offer_coding_unread'
  }
  const { x402Version, accepts, payability, unread, issues, extensions } = challenge
  if (issues.includes('OFFER_HEADER_UNREADABLE') || issues.includes('X402_NOT_OBJECT')) return 'offer_header_unreadable'
  if (x402Version === null) return 'version_missing'
  if (x402Version !== 1 && x402Version !== 2) return 'version_unsupported'
  if (issues.includes('OFFER_ONLY_IN_BODY')) return 'offer_only_in_body'
  const reasons = payability.flatMap((verdict) => (verdict.payable ? [] : verdict.reason))
  if (reasons.length < payability.length) return 'payable'
  if (reasons.some((reason) => PAYABLE_ELSEWHERE.has(reason))) return 'payable_elsewhere'
  if (issues.includes('HEADERS_OVERFLOW')) return 'offer_headers_too_long'
  if (accepts.length > 0) return 'not_payable'
  if (unread.length > 0) return 'entries_unreadable'
  return extensions && Object.hasOwn(extensions, 'sign-in-with-x') ? 'sign_in_only' : 'accepts_empty'
}

/** Recognizes a server of another protocol by the words of its answer. */
function otherServer({ status, headers, bodyText }: Answer): ProbeFinding | undefined {
  if (headers['mcp-session-id'] ?? headers['mcp-protocol-version']) return 'mcp_server'
  const read = readJson(bodyText, 'finite')
  if (!read.ok || !isObject(read.value)) return undefined
  const { jsonrpc, error, skills, capabilities } = read.value
  if (status < 300 && Array.isArray(skills) && isObject(capabilities)) return 'a2a_card'
  if (jsonrpc !== '2.0' || !isObject(error)) return undefined
  // A third party's message may be anything, even an object that cannot be converted to text.
  const words = typeof error.message === 'string' ? error.message : ''
  if (error.code === MCP_CODE || /\bmcp\b|session id|event-stream/i.test(words)) return 'mcp_server'
  return isA2a(headers, error.code, words) ? 'a2a_server' : 'json_rpc_server'
}

/** The error of the MCP SDKs' transport for a request that is not a message of its protocol. */
const MCP_CODE = -32_000
/** @source A2A 1.0, error codes */
const A2A_CODES = { from: -32_009, to: -32_001 }

const isA2a = (headers: Answer['headers'], code: unknown, words: string): boolean =>
  headers['a2a-version'] !== undefined ||
  headers['a2a-extensions'] !== undefined ||
  (typeof code === 'number' && code >= A2A_CODES.from && code <= A2A_CODES.to) ||
  /\ba2a\b|message\/send/i.test(words)

const MAX_URL = 2_048

/** The target of a redirect, without credentials; undefined if it is not a web address. */
export function redirectTarget({ status, headers }: Answer, from: URL): string | undefined {
  const location = firstValue(headers.location)
  if (status < 300 || status >= 400 || location === '') return undefined
  const url = URL.parse(location, from.href)
  if (!url || !/^https?:/.test(url.href) || url.href.length > MAX_URL) return undefined
  url.username = ''
  url.password = ''
  return url.href
}

/** Adds what is specific to this answer to the sentence of its finding. */
export function inWords(
  message: string,
  {
    redirectTo,
    methods,
    contentEncoding,
    unread = [],
  }: {
    readonly redirectTo?: string | undefined
    readonly methods?: readonly HttpMethod[] | undefined
    readonly contentEncoding?: string | undefined
    /** Entries of the offer that could not be read. */
    readonly unread?: readonly Pick<UnreadEntry, 'index' | 'members'>[]
  },
): string {
  return [
    message,
    ...(redirectTo ? [`It redirects to ${redirectTo}.`] : []),
    ...(methods ? [`It says that it accepts ${methods.join(', ')}.`] : []),
    ...(contentEncoding ? [`Its body is encoded as ${contentEncoding}.`] : []),
    ...(unread.length > 0 ? [`Missing or of the wrong kind: ${atFault(unread)}.`] : []),
  ].join(' ')
}

/** At most this many members are named. */
const MAX_NAMED = 8

const atFault = (unread: readonly Pick<UnreadEntry, 'index' | 'members'>[]): string =>
  unread
    .flatMap(({ index, members }) => {
      const entry = `accepts[${index}]`
      return members.length === 0 ? entry : members.map((member) => `${entry}.${member}`)
    })
    .slice(0, MAX_NAMED)
    .join(', ')
