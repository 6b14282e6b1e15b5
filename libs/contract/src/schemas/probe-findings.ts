import { z } from 'zod'
import type { ProbeState } from './liveness.ts'
import type { ProbeResult, ShownOffer } from './probe.ts'

/** One possible finding of a probe, with the state that follows from it. */
export interface FindingDeclaration {
  readonly state: ProbeState
  /** What was found, in one sentence. */
  readonly message: string
  /** How its provider fixes it, in one sentence. */
  readonly mend: string
}

const found = <const State extends ProbeState>(state: State, message: string, mend: string) => ({
  state,
  message,
  mend,
})

/** All possible findings of a probe; each has one state. Every report of a probe takes its wording from this table. */
const declared = {
  payable: found('ok_402', 'The endpoint asks for payment with x402.', 'Nothing to fix.'),
  payable_elsewhere: found(
    'ok_402',
    'The endpoint asks for payment with x402, but only by schemes, tokens or networks that Callboard does not support.',
    'Add an entry to `accepts` with scheme `exact` in USDC on a supported network; `wanted` names them.',
  ),
  mpp: found(
    'mpp',
    'The endpoint asks for payment with the machine payments protocol, which Callboard recognises but cannot pay.',
    'Offer x402 as well: the same 402 may carry `PAYMENT-REQUIRED` next to `WWW-Authenticate: Payment`.',
  ),

  offer_missing: found(
    'ok_402_no_accepts',
    'The endpoint answers 402 without a readable offer.',
    'Send the x402 offer with the 402, as base64 JSON in the `PAYMENT-REQUIRED` header; x402 middleware in any language does so.',
  ),
  offer_header_unreadable: found(
    'ok_402_no_accepts',
    'The endpoint’s `PAYMENT-REQUIRED` header is not base64 of a JSON object.',
    'Send one `PAYMENT-REQUIRED` header with standard base64 (not base64url) of the UTF-8 JSON object, without line breaks.',
  ),
  offer_only_in_body: found(
    'ok_402_no_accepts',
    'The endpoint’s version 2 offer is only in the body; clients read it from the `PAYMENT-REQUIRED` header.',
    'Send the same JSON, base64-encoded, in the response header `PAYMENT-REQUIRED`, and make sure that no proxy strips it.',
  ),
  offer_headers_too_long: found(
    'ok_402_no_accepts',
    'The endpoint’s response headers exceed the 16 KiB at which stock HTTP clients give up.',
    'Shorten the offer: keep schemas in `/openapi.json` and out of the header, and offer fewer entries.',
  ),
  offer_coding_unread: found(
    'ok_402_no_accepts',
    'The endpoint’s 402 has a body in a content coding that stock clients cannot decode.',
    'Send the 402 uncompressed, or as gzip, deflate, br or zstd, and put the offer into `PAYMENT-REQUIRED`.',
  ),
  version_missing: found(
    'ok_402_no_accepts',
    'The endpoint’s offer declares no `x402Version`.',
    'Add the member `x402Version` with the number 2.',
  ),
  version_unsupported: found(
    'wrong_version',
    'The endpoint’s offer declares an x402 version other than 1 or 2.',
    'Offer version 2; no other version than 1 and 2 is specified.',
  ),
  accepts_empty: found(
    'ok_402_no_accepts',
    'The endpoint’s offer has no entries in `accepts`.',
    'List at least one way to pay in `accepts`.',
  ),
  entries_unreadable: found(
    'ok_402_no_accepts',
    'The endpoint’s offer has entries in `accepts`, but none of them is readable.',
    'Give each entry `scheme`, `network` (CAIP-2), `asset`, `amount` (base units as text), `payTo` and `maxTimeoutSeconds`.',
  ),
  not_payable: found(
    'ok_402_no_accepts',
    'The endpoint answers 402, but no stock x402 client can pay any of its offers.',
    'Fix the entries of `accepts`; each one lists what keeps a client from paying it.',
  ),
  l402: found(
    'ok_402_no_accepts',
    'The endpoint asks for payment with L402 over Lightning, which is not x402.',
    'Offer x402 as well, with the `PAYMENT-REQUIRED` header.',
  ),
  sign_in_only: found(
    'ok_402_no_accepts',
    'The endpoint asks to sign in with a wallet (`sign-in-with-x`) and offers no way to pay.',
    'List a way to pay in `accepts` next to the extension: a buyer that has never paid has nothing to sign in to.',
  ),

  free: found(
    'open',
    'The endpoint answers without asking for payment.',
    'Put the x402 middleware before this method and path, and check that it is loaded where the endpoint is deployed.',
  ),
  free_page: found(
    'open',
    'The endpoint answers with a web page, and asks for no payment.',
    'Give the URL of the API endpoint itself, and check that its domain still points to your server.',
  ),
  a2a_card: found(
    'open',
    'The endpoint answers with the card of an A2A agent, and asks for no payment.',
    'Give the URL of an HTTP endpoint that sells one operation; agent cards are read, not bought.',
  ),
  redirect: found(
    'redirect',
    'The endpoint redirects, and Callboard does not follow redirects.',
    'Give the URL that it redirects to, if it is yours; `redirectTo` names it.',
  ),
  method_refused: found(
    'method_refused',
    'The endpoint refuses the method.',
    'Declare a method that it accepts; `methods` lists those in its `Allow` header or its OpenAPI document.',
  ),

  unauthorized: found(
    'blocked_before_gate',
    'The endpoint asks for credentials (401) before it asks for payment.',
    'Let requests without credentials reach the payment gate: a buyer has no account with you.',
  ),
  forbidden: found(
    'blocked_before_gate',
    'The endpoint forbids the request (403) before it asks for payment.',
    'Let unpaid requests reach the payment gate, from every address and with every user agent.',
  ),
  bot_wall: found(
    'blocked_before_gate',
    'A bot wall in front of the endpoint refuses the request; agents meet it too.',
    'Exempt the paid paths from your host’s bot protection: the buyers are programs.',
  ),
  bot_wall_cloudflare: found(
    'blocked_before_gate',
    'Cloudflare answers instead of the endpoint and treats the caller as a bot; agents meet it too.',
    'Add a custom rule under Security rules that skips bot protection and managed rules for the paid paths, and leave them out of pay per crawl; to let in only this prober, allow its verified signature (Web Bot Auth).',
  ),
  bot_wall_akamai: found(
    'blocked_before_gate',
    'Akamai answers instead of the endpoint and denies access; agents meet it too.',
    'Take the paid paths out of Bot Manager and of the WAF’s deny rules; to let in only this prober, allow its signature (Web Bot Auth) as a known bot.',
  ),
  bot_wall_aws: found(
    'blocked_before_gate',
    'AWS WAF or CloudFront answers instead of the endpoint, with a challenge or a block; agents meet it too.',
    'Scope down the Bot Control, Challenge and CAPTCHA rules of the web ACL so that they leave out the paid paths; to let in only this prober, allow requests with its verified signature (Web Bot Auth).',
  ),
  bot_wall_vercel: found(
    'blocked_before_gate',
    'Vercel’s firewall answers instead of the endpoint, with its security checkpoint; agents meet it too.',
    'Turn attack mode off, and add a firewall rule that bypasses bot protection for the paid paths; to let in only this prober, allow its verified signature (Web Bot Auth).',
  ),
  bot_wall_datadome: found(
    'blocked_before_gate',
    'DataDome answers instead of the endpoint and asks for a captcha; agents meet it too.',
    'Take the paid paths out of the endpoints that DataDome protects; to let in only this prober, allow its signature (Web Bot Auth) as an authorized agent.',
  ),
  not_found: found(
    'blocked_before_gate',
    'The endpoint answers that nothing exists at this path (404 or 410).',
    'Check path and method, and that the route is deployed; a router often answers 404 to a method that it does not know.',
  ),
  wants_input: found(
    'blocked_before_gate',
    'The endpoint refuses the body or query of the request (400, 415 or 422) before it asks for payment.',
    'Ask for payment before you validate the input, or give a `sample` that passes, or publish an input schema in `/openapi.json`.',
  ),
  mcp_tools_sold: found(
    'blocked_before_gate',
    'The endpoint is an MCP server whose tools ask for x402 payment within MCP; Callboard lists endpoints that are paid over HTTP.',
    'Put an HTTP endpoint that answers 402 in front of each tool that you sell, and list that endpoint; `tools` names the tools and their prices.',
  ),
  mcp_server: found(
    'blocked_before_gate',
    'The endpoint is an MCP server; its tools are not HTTP endpoints.',
    'List an HTTP endpoint that answers 402, or put one in front of each tool that you sell.',
  ),
  a2a_server: found(
    'blocked_before_gate',
    'The endpoint is an A2A agent, which asks for payment within its own messages.',
    'List an HTTP endpoint that answers 402 to an unpaid request.',
  ),
  json_rpc_server: found(
    'blocked_before_gate',
    'The endpoint is a JSON-RPC server that refuses the request before it asks for payment.',
    'Ask for payment before you read the message, or give a `sample` body that is a valid message.',
  ),
  refused: found(
    'blocked_before_gate',
    'The endpoint refuses the request before it asks for payment.',
    'Let unpaid requests reach the payment gate before you check anything else.',
  ),
  rate_limited: found(
    'rate_limited',
    'The endpoint limits the rate of calls; this check counts neither for nor against it.',
    'Answer unpaid requests with the 402 before they count against a limit; Callboard honours `Retry-After`.',
  ),
  server_error: found(
    'server_error',
    'The endpoint answers with a server error.',
    'Check the endpoint’s log. Frequent causes are an unreachable facilitator, and a price such as `"$0.02"` on a chain that the x402 packages do not know, such as the devnet: give `amount`, `asset` and `extra` there.',
  ),

  tls_expired: found(
    'tls',
    'The endpoint’s TLS certificate has expired.',
    'Renew the certificate and reload the server.',
  ),
  tls_not_yet_valid: found(
    'tls',
    'The endpoint’s TLS certificate is not valid yet.',
    'Correct the clock of the machine that issued it, or install the certificate once it is valid.',
  ),
  tls_wrong_host: found(
    'tls',
    'The endpoint’s TLS certificate is for another host name.',
    'Install a certificate that names this host, or give the URL with the host name that the certificate is for.',
  ),
  tls_self_signed: found(
    'tls',
    'The endpoint’s TLS certificate is self-signed.',
    'Install a certificate from a public authority; buyers’ clients accept no other.',
  ),
  tls_untrusted: found(
    'tls',
    'The endpoint’s TLS certificate does not chain to a known authority.',
    'Serve the whole chain: the certificate and its authority’s intermediate certificates.',
  ),
  tls_handshake: found(
    'tls',
    'The TLS handshake with the endpoint fails.',
    'Check that the port speaks TLS 1.2 or 1.3; a plain HTTP server on the port fails like this.',
  ),
  dns_no_such_name: found(
    'dns',
    'There is no such host name (NXDOMAIN).',
    'Check the spelling, register or renew the domain, and add a record for the host.',
  ),
  dns_no_address: found('dns', 'The host name has no address.', 'Add an A or AAAA record for the host name.'),
  dns: found(
    'dns',
    'The host name’s name servers do not answer, or fail.',
    'Check that the domain’s name servers are reachable and that its DNSSEC records are valid.',
  ),
  connect_timeout: found(
    'timeout',
    'The endpoint’s host accepted no connection in time.',
    'Open the port in the host’s firewall, and check that the address is current.',
  ),
  timeout: found(
    'timeout',
    'The endpoint did not answer in time.',
    'Answer 402 before any slow work; a host that wakes from sleep has to do so within seconds.',
  ),
  connection_refused: found(
    'unreachable',
    'The endpoint’s host refuses the connection: nothing listens on the port.',
    'Start the server, make it listen on all interfaces, and check the port in the URL.',
  ),
  connection_reset: found(
    'unreachable',
    'The endpoint closes the connection without an answer.',
    'Check the logs of the endpoint and of the proxy in front of it; a crash during the request looks like this.',
  ),
  no_route: found(
    'unreachable',
    'There is no route to the endpoint’s host.',
    'Check that the host’s addresses are public and current, for both IPv4 and IPv6.',
  ),
  not_http: found(
    'unreachable',
    'The endpoint’s answer is not HTTP/1.1.',
    'Serve HTTP/1.1 on the port, next to newer versions; for TLS, give an https URL.',
  ),
  unreachable: found(
    'unreachable',
    'The endpoint could not be reached.',
    'Call the URL from another network, and fix what that shows.',
  ),
  refused_target: found(
    'refused_target',
    'The URL leads to an address or port that Callboard does not probe.',
    'Serve the endpoint at a public address, on port 443 or 80.',
  ),
  robots_disallowed: found(
    'refused_target',
    'The origin’s robots.txt does not let our prober call this path. Callboard obeys it for mirrored resources, because others listed them.',
    'Allow `CallboardProber` on the paid paths in `/robots.txt`, or list the endpoint yourself: Callboard probes what its provider lists.',
  ),
  robots_unreachable: found(
    'refused_target',
    'The origin’s robots.txt cannot be read, so nothing may be called there (RFC 9309). Callboard obeys this for mirrored resources, because others listed them.',
    'Answer `/robots.txt` in time, with 404 if there is none, or list the endpoint yourself: Callboard probes what its provider lists.',
  ),
  too_large: found(
    'too_large',
    'The endpoint’s answer is too large to read.',
    'Keep the headers of the 402 under 16 KiB and its body under 256 KiB.',
  ),
} as const satisfies Record<string, FindingDeclaration>

/** What a probe found, in one word: finer than its state. */
export type ProbeFinding = keyof typeof declared
export const ProbeFinding = z.enum(Object.keys(declared) as ProbeFinding[])

export const FINDINGS: typeof declared = declared

/** The findings that have one of these states. */
export type FindingOf<State extends ProbeState> = {
  [Finding in ProbeFinding]: (typeof declared)[Finding]['state'] extends State ? Finding : never
}[ProbeFinding]

/**
 * Whether an endpoint's answer shows that it charges. Only `no` removes a listing's price; a failure says nothing about
 * it, and the price stays as last read.
 */
export const CHARGES: Readonly<Record<ProbeState, 'yes' | 'no' | 'unknown'>> = {
  ok_402: 'yes',
  mpp: 'yes',
  wrong_version: 'no',
  ok_402_no_accepts: 'no',
  open: 'no',
  redirect: 'no',
  method_refused: 'unknown',
  blocked_before_gate: 'unknown',
  rate_limited: 'unknown',
  server_error: 'unknown',
  tls: 'unknown',
  dns: 'unknown',
  timeout: 'unknown',
  unreachable: 'unknown',
  refused_target: 'unknown',
  too_large: 'unknown',
}

/** The entries of an endpoint's latest offer: empty where it no longer charges, null where nothing was learnt. */
export function acceptsOf(found: { readonly state: ProbeState; readonly result: ProbeResult | null }) {
  if (found.result?.kind === 'x402') return found.result.accepts
  if (found.result?.kind === 'mcp') return found.result.tools.flatMap(({ accepts }) => accepts)
  return acceptsUnread(found.state)
}

/** The same for an answer whose offer was not read. */
export const acceptsUnread = (state: ProbeState): ShownOffer[] | null => (CHARGES[state] === 'no' ? [] : null)
