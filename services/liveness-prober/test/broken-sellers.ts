import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { HttpMethod } from '@callboard/contract'
import { expired, forAnotherHost, notYetValid, ofUnknownAuthority } from './certificates.ts'
import { offer, payableEntry, paywall } from './offers.ts'
import { selfSigned } from './self-signed.ts'

/** A seller that is broken in one way, and what its probe must report. */
export interface BrokenSeller {
  readonly name: string
  /** A server of HTTP, of HTTP over TLS with this certificate, or of raw bytes; none if only the URL is broken. */
  readonly http?: RequestListener
  readonly tls?: SecureContextOptions
  readonly tcp?: (socket: Socket) => void
  /** Instead of the server's own. */
  readonly url?: (origin: string) => string
  readonly method?: HttpMethod
  readonly says: {
    readonly state: string
    readonly finding: string
    readonly httpStatus: number | null
    readonly message: string
    /** A word that only this mend has. */
    readonly mend: RegExp
    readonly redirectTo?: string
    readonly methods?: readonly HttpMethod[]
  }
}

const answers =
  (status: number, headers: Record<string, string | string[]> = {}, body = ''): RequestListener =>
  (_req, res) =>
    res.writeHead(status, headers).end(body)
const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html; charset=utf-8' }
const inBody = (body: unknown) => answers(402, json, JSON.stringify(body))
const inHeader = (text: string) => answers(402, { 'payment-required': text }, '{}')
const entry = (more: Record<string, unknown>) => paywall({ accepts: [payableEntry(more)] })
const rpcError = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })

const NO_WAY = 'The endpoint answers 402, but no stock x402 client can pay any of its offers.'
const WANTS_INPUT =
  'The endpoint refuses the body or query of the request (400, 415 or 422) before it asks for payment.'
const METHOD = 'The endpoint refuses the method.'
const at402 = { state: 'ok_402_no_accepts', httpStatus: 402 } as const
const blocked = { state: 'blocked_before_gate' } as const
const silent = { httpStatus: null } as const
const notPayable = { ...at402, finding: 'not_payable', message: NO_WAY, mend: /each one lists/ } as const

export const brokenSellers: readonly BrokenSeller[] = [
  {
    name: 'is free',
    http: answers(200, json, '{"price":1}'),
    says: {
      state: 'open',
      finding: 'free',
      httpStatus: 200,
      message: 'The endpoint answers without asking for payment.',
      mend: /middleware/,
    },
  },
  {
    name: 'is a parked page',
    http: answers(200, html, '<h1>This domain is for sale</h1>'),
    says: {
      state: 'open',
      finding: 'free_page',
      httpStatus: 200,
      message: 'The endpoint answers with a web page, and asks for no payment.',
      mend: /domain/,
    },
  },
  {
    name: 'is the card of an A2A agent',
    http: answers(200, json, JSON.stringify({ name: 'a', skills: [], capabilities: {} })),
    says: {
      state: 'open',
      finding: 'a2a_card',
      httpStatus: 200,
      message: 'The endpoint answers with the card of an A2A agent, and asks for no payment.',
      mend: /agent cards/,
    },
  },
  {
    name: 'answers 402 with nothing',
    http: answers(402),
    says: {
      ...at402,
      finding: 'offer_missing',
      message: 'The endpoint answers 402 without a readable offer.',
      mend: /PAYMENT-REQUIRED/,
    },
  },
  {
    name: 'answers 402 with a page',
    http: answers(402, html, '<h1>Payment required</h1>'),
    says: {
      ...at402,
      finding: 'offer_missing',
      message: 'The endpoint answers 402 without a readable offer.',
      mend: /PAYMENT-REQUIRED/,
    },
  },
  {
    name: 'offers version 2 in the body alone',
    http: inBody(offer()),
    says: {
      ...at402,
      finding: 'offer_only_in_body',
      message:
        'The endpoint’s version 2 offer is only in the body; clients read it from the `PAYMENT-REQUIRED` header.',
      mend: /proxy/,
    },
  },
  {
    name: 'offers version 2 in a compressed body alone',
    http: (_req, res) => res.writeHead(402, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(offer()))),
    says: {
      ...at402,
      finding: 'offer_only_in_body',
      message:
        'The endpoint’s version 2 offer is only in the body; clients read it from the `PAYMENT-REQUIRED` header. Its body is encoded as gzip.',
      mend: /proxy/,
    },
  },
  {
    name: 'codes its body as no client reads it',
    http: answers(402, { 'content-encoding': 'exi' }, '?'),
    says: {
      ...at402,
      finding: 'offer_coding_unread',
      message:
        'The endpoint’s 402 has a body in a content coding that stock clients cannot decode. Its body is encoded as exi.',
      mend: /uncompressed/,
    },
  },
  {
    name: 'sends its header in base64url',
    http: inHeader(Buffer.from(JSON.stringify(offer({ error: '???>>>' }))).toString('base64url')),
    says: {
      ...at402,
      finding: 'offer_header_unreadable',
      message: 'The endpoint’s `PAYMENT-REQUIRED` header is not base64 of a JSON object.',
      mend: /not base64url/,
    },
  },
  {
    name: 'sends its header as bare JSON',
    http: inHeader(JSON.stringify(offer())),
    says: {
      ...at402,
      finding: 'offer_header_unreadable',
      message: 'The endpoint’s `PAYMENT-REQUIRED` header is not base64 of a JSON object.',
      mend: /standard base64/,
    },
  },
  {
    name: 'sends 20 KiB of headers',
    http: paywall({ extensions: { padding: 'x'.repeat(20_000) } }),
    says: {
      ...at402,
      finding: 'offer_headers_too_long',
      message: 'The endpoint’s response headers exceed the 16 KiB at which stock HTTP clients give up.',
      mend: /Shorten the offer/,
    },
  },
  {
    name: 'offers version 3',
    http: paywall({ x402Version: 3 }),
    says: {
      state: 'wrong_version',
      httpStatus: 402,
      finding: 'version_unsupported',
      message: 'The endpoint’s offer declares an x402 version other than 1 or 2.',
      mend: /Offer version 2/,
    },
  },
  {
    name: 'declares no version',
    http: paywall({ x402Version: undefined }),
    says: {
      ...at402,
      finding: 'version_missing',
      message: 'The endpoint’s offer declares no `x402Version`.',
      mend: /number 2/,
    },
  },
  {
    name: 'declares its version as text',
    http: paywall({ x402Version: '2' }),
    says: {
      ...at402,
      finding: 'version_missing',
      message: 'The endpoint’s offer declares no `x402Version`.',
      mend: /number 2/,
    },
  },
  {
    name: 'accepts nothing',
    http: paywall({ accepts: [] }),
    says: {
      ...at402,
      finding: 'accepts_empty',
      message: 'The endpoint’s offer has no entries in `accepts`.',
      mend: /at least one/,
    },
  },
  {
    name: 'wants a sign-in alone',
    http: paywall({ accepts: [], extensions: { 'sign-in-with-x': { info: { domain: 'api.example' } } } }),
    says: {
      ...at402,
      finding: 'sign_in_only',
      message: 'The endpoint asks to sign in with a wallet (`sign-in-with-x`) and offers no way to pay.',
      mend: /never paid/,
    },
  },
  {
    name: 'names its network as version 1 did',
    http: entry({ network: 'base' }),
    says: {
      ...at402,
      finding: 'entries_unreadable',
      message:
        'The endpoint’s offer has entries in `accepts`, but none of them is readable. Missing or of the wrong kind: accepts[0].network.',
      mend: /CAIP-2/,
    },
  },
  {
    name: 'asks for a price in dollars',
    http: entry({ amount: '$0.01' }),
    says: {
      ...at402,
      finding: 'entries_unreadable',
      message:
        'The endpoint’s offer has entries in `accepts`, but none of them is readable. Missing or of the wrong kind: accepts[0].amount.',
      mend: /base units/,
    },
  },
  { name: 'asks for nothing', http: entry({ amount: '0' }), says: notPayable },
  { name: 'names no payee', http: entry({ payTo: 'me' }), says: notPayable },
  { name: 'leaves no time to settle', http: entry({ maxTimeoutSeconds: 1 }), says: notPayable },
  { name: 'forgets the token’s domain', http: entry({ extra: {} }), says: notPayable },
  {
    name: 'is paid on another chain alone',
    http: entry({ network: 'eip155:1' }),
    says: {
      state: 'ok_402',
      finding: 'payable_elsewhere',
      httpStatus: 402,
      message:
        'The endpoint asks for payment with x402, but only by schemes, tokens or networks that Callboard does not support.',
      mend: /`wanted`/,
    },
  },
  {
    name: 'wants Lightning',
    http: answers(402, { 'www-authenticate': 'L402 macaroon="AGIAJEem", invoice="lnbc1"' }),
    says: {
      ...at402,
      finding: 'l402',
      message: 'The endpoint asks for payment with L402 over Lightning, which is not x402.',
      mend: /x402 as well/,
    },
  },
  {
    name: 'speaks MPP alone',
    http: answers(402, {
      'www-authenticate': 'Payment id="a", realm="r", method="tempo", intent="charge", request="e30"',
    }),
    says: {
      state: 'mpp',
      finding: 'mpp',
      httpStatus: 402,
      message:
        'The endpoint asks for payment with the machine payments protocol, which Callboard recognises but cannot pay.',
      mend: /WWW-Authenticate/,
    },
  },
  {
    name: 'wants an account',
    http: answers(401, { 'www-authenticate': 'Bearer' }),
    says: {
      ...blocked,
      finding: 'unauthorized',
      httpStatus: 401,
      message: 'The endpoint asks for credentials (401) before it asks for payment.',
      mend: /no account/,
    },
  },
  {
    name: 'forbids',
    http: answers(403, json, '{"error":"forbidden"}'),
    says: {
      ...blocked,
      finding: 'forbidden',
      httpStatus: 403,
      message: 'The endpoint forbids the request (403) before it asks for payment.',
      mend: /user agent/,
    },
  },
  {
    name: 'stands behind a bot wall',
    http: answers(403, { ...html, 'cf-mitigated': 'challenge' }, '<title>Just a moment...</title>'),
    says: {
      ...blocked,
      finding: 'bot_wall_cloudflare',
      httpStatus: 403,
      message: 'Cloudflare answers instead of the endpoint and treats the caller as a bot; agents meet it too.',
      mend: /skips bot protection/,
    },
  },
  {
    name: 'is not there',
    http: answers(404),
    says: {
      ...blocked,
      finding: 'not_found',
      httpStatus: 404,
      message: 'The endpoint answers that nothing exists at this path (404 or 410).',
      mend: /deployed/,
    },
  },
  {
    name: 'takes another method, and says which',
    http: answers(405, { allow: 'POST, OPTIONS' }),
    method: 'GET',
    says: {
      state: 'method_refused',
      finding: 'method_refused',
      httpStatus: 405,
      message: `${METHOD} It says that it accepts POST.`,
      mend: /`methods`/,
      methods: ['POST'],
    },
  },
  {
    name: 'takes another method, and its document says which',
    http: (req, res) =>
      req.url === '/openapi.json' ? res.end('{"paths":{"/":{"put":{}}}}') : res.writeHead(405).end(),
    method: 'GET',
    says: {
      state: 'method_refused',
      finding: 'method_refused',
      httpStatus: 405,
      message: `${METHOD} It says that it accepts PUT.`,
      mend: /`methods`/,
      methods: ['PUT'],
    },
  },
  {
    name: 'validates first',
    http: answers(422, json, '{"detail":[{"msg":"Field required"}]}'),
    method: 'POST',
    says: { ...blocked, finding: 'wants_input', httpStatus: 422, message: WANTS_INPUT, mend: /`sample`/ },
  },
  {
    name: 'wants a form',
    http: answers(415),
    method: 'POST',
    says: { ...blocked, finding: 'wants_input', httpStatus: 415, message: WANTS_INPUT, mend: /`sample`/ },
  },
  {
    name: 'is an MCP server',
    http: answers(406, json, rpcError(-32_000, 'Not Acceptable: Client must accept text/event-stream')),
    says: {
      ...blocked,
      finding: 'mcp_server',
      httpStatus: 406,
      message: 'The endpoint is an MCP server; its tools are not HTTP endpoints.',
      mend: /each tool/,
    },
  },
  {
    name: 'is an A2A agent',
    http: answers(200, { ...json, 'a2a-version': '1.0' }, rpcError(-32_600, 'Invalid Request')),
    method: 'POST',
    says: {
      ...blocked,
      finding: 'a2a_server',
      httpStatus: 200,
      message: 'The endpoint is an A2A agent, which asks for payment within its own messages.',
      mend: /unpaid request/,
    },
  },
  {
    name: 'limits its calls',
    http: answers(429, { 'retry-after': '30' }),
    says: {
      state: 'rate_limited',
      finding: 'rate_limited',
      httpStatus: 429,
      message: 'The endpoint limits the rate of calls; this check counts neither for nor against it.',
      mend: /Retry-After/,
    },
  },
  {
    name: 'fails',
    http: answers(500, html, '<h1>Internal Server Error</h1>'),
    says: {
      state: 'server_error',
      finding: 'server_error',
      httpStatus: 500,
      message: 'The endpoint answers with a server error.',
      mend: /facilitator/,
    },
  },
  {
    name: 'redirects',
    http: answers(308, { location: 'https://www.api.example/quote' }),
    says: {
      state: 'redirect',
      finding: 'redirect',
      httpStatus: 308,
      message:
        'The endpoint redirects, and Callboard does not follow redirects. It redirects to https://www.api.example/quote.',
      mend: /`redirectTo`/,
      redirectTo: 'https://www.api.example/quote',
    },
  },
  {
    name: 'let its certificate expire',
    tls: expired,
    says: {
      state: 'tls',
      finding: 'tls_expired',
      ...silent,
      message: 'The endpoint’s TLS certificate has expired.',
      mend: /Renew/,
    },
  },
  {
    name: 'has a certificate of the future',
    tls: notYetValid,
    says: {
      state: 'tls',
      finding: 'tls_not_yet_valid',
      ...silent,
      message: 'The endpoint’s TLS certificate is not valid yet.',
      mend: /clock/,
    },
  },
  {
    name: 'has the certificate of another host',
    tls: forAnotherHost,
    says: {
      state: 'tls',
      finding: 'tls_wrong_host',
      ...silent,
      message: 'The endpoint’s TLS certificate is for another host name.',
      mend: /names this host/,
    },
  },
  {
    name: 'vouches for itself',
    tls: selfSigned,
    says: {
      state: 'tls',
      finding: 'tls_self_signed',
      ...silent,
      message: 'The endpoint’s TLS certificate is self-signed.',
      mend: /public authority/,
    },
  },
  {
    name: 'leaves out its chain',
    tls: ofUnknownAuthority,
    says: {
      state: 'tls',
      finding: 'tls_untrusted',
      ...silent,
      message: 'The endpoint’s TLS certificate does not chain to a known authority.',
      mend: /intermediate/,
    },
  },
  {
    name: 'speaks plain HTTP where TLS is meant',
    http: answers(402),
    url: (origin) => origin.replace('http:', 'https:'),
    says: {
      state: 'tls',
      finding: 'tls_handshake',
      ...silent,
      message: 'The TLS handshake with the endpoint fails.',
      mend: /plain HTTP/,
    },
  },
  {
    name: 'never answers',
    tcp: () => {},
    says: {
      state: 'timeout',
      finding: 'timeout',
      ...silent,
      message: 'The endpoint did not answer in time.',
      mend: /slow work/,
    },
  },
  {
    name: 'hangs up',
    tcp: (socket) => socket.once('data', () => socket.destroy()),
    says: {
      state: 'unreachable',
      finding: 'connection_reset',
      ...silent,
      message: 'The endpoint closes the connection without an answer.',
      mend: /crash/,
    },
  },
  {
    name: 'speaks no HTTP',
    tcp: (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
    says: {
      state: 'unreachable',
      finding: 'not_http',
      ...silent,
      message: 'The endpoint’s answer is not HTTP/1.1.',
      mend: /HTTP\/1\.1/,
    },
  },
  {
    name: 'does not listen',
    url: () => 'http://127.0.0.1:9/',
    says: {
      state: 'unreachable',
      finding: 'connection_refused',
      ...silent,
      message: 'The endpoint’s host refuses the connection: nothing listens on the port.',
      mend: /all interfaces/,
    },
  },
  {
    name: 'lives at a private address',
    url: () => 'http://10.0.0.1/quote',
    says: {
      state: 'refused_target',
      finding: 'refused_target',
      ...silent,
      message: 'The URL leads to an address or port that Callboard does not probe.',
      mend: /public address/,
    },
  },
  {
    name: 'has no end to its body',
    http: answers(402, {}, 'x'.repeat(300 * 1024)),
    says: {
      state: 'too_large',
      finding: 'too_large',
      ...silent,
      message: 'The endpoint’s answer is too large to read.',
      mend: /256 KiB/,
    },
  },
]
