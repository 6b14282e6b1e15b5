import type { ConformanceIssue } from './conformance.ts'
import type { NotPayableReason } from './match.ts'

/** The wording of an issue of an offer: what is wrong, and how its seller fixes it. */
export interface Words {
  readonly message: string
  readonly mend: string
}

const words = (message: string, mend: string): Words => ({ message, mend })

/** One sentence for each issue, and one for its fix. */
export const ISSUE_WORDS: Readonly<Record<ConformanceIssue, Words>> = {
  X402_NOT_OBJECT: words('The offer is not a JSON object.', 'Send one JSON object as the offer.'),
  X402_VERSION_MISSING: words('The offer declares no `x402Version`.', 'Add `"x402Version": 2`, as a number.'),
  X402_VERSION_UNSUPPORTED: words(
    'The offer declares a version other than 1 or 2.',
    'Declare version 2, and follow it.',
  ),
  X402_ACCEPTS_MISSING: words('The offer has no member `accepts`.', 'Add `accepts`, a list of ways to pay.'),
  X402_ACCEPTS_INVALID: words(
    'The member `accepts` is not a list.',
    'Make `accepts` a list, even for a single way to pay.',
  ),
  X402_ACCEPTS_EMPTY: words('The list `accepts` is empty.', 'List at least one way to pay.'),
  X402_ACCEPT_ENTRY_INVALID: words(
    'An entry of `accepts` lacks a member, or has one of the wrong type.',
    'Give each entry `scheme`, `network`, `asset`, `amount` (base units as decimal text), `payTo` and `maxTimeoutSeconds` (a whole number).',
  ),
  NETWORK_CAIP2_INVALID: words(
    'The network of a version 2 entry is not a CAIP-2 identifier.',
    'Name the network as CAIP-2, for example `eip155:8453` for Base.',
  ),
  NETWORK_EIP155_REFERENCE_INVALID: words(
    'The chain id of an `eip155` network is not a decimal number.',
    'Write the chain id in decimal digits without leading zeros.',
  ),
  NETWORK_REFERENCE_UNKNOWN: words(
    'The network name of a version 1 entry is unknown.',
    'Use a name that version 1 defines, or offer version 2, whose networks are CAIP-2 identifiers.',
  ),
  OFFER_ONLY_IN_BODY: words(
    'The version 2 offer is only in the body, where no stock client reads it.',
    'Send it in the `PAYMENT-REQUIRED` header, as base64 of its JSON.',
  ),
  OFFER_HEADER_UNREADABLE: words(
    'The header `PAYMENT-REQUIRED` is not base64 of UTF-8 JSON, or is sent twice.',
    'Send the header once, in standard base64 with padding.',
  ),
  HEADER_BODY_DIFFER: words(
    'The header and the body offer different ways to pay.',
    'Make both from the same offer, or leave the body empty.',
  ),
  EIP712_DOMAIN_MISSING: words(
    'An `exact` entry does not name the token’s EIP-712 domain.',
    'Add `extra.name` and `extra.version` as the token contract returns them; for USDC on Base they are `USD Coin` and `2`.',
  ),
  AMOUNT_NOT_POSITIVE: words('An entry asks for nothing.', 'Ask for at least one base unit of the token.'),
  PAYTO_INVALID: words(
    'The payee of an entry is not an address that a token can pay.',
    'Set `payTo` to the address to be paid, with a correct checksum.',
  ),
  SCHEMA_INPUT_MISSING: words(
    'The offer does not describe the operation’s input.',
    'Add the `bazaar` extension with the schema of the input.',
  ),
  SCHEMA_OUTPUT_MISSING: words(
    'The offer does not describe the operation’s output.',
    'Add an example of the answer, or its schema, to the `bazaar` extension.',
  ),
  ASSET_UNKNOWN: words(
    'The token of an entry is not the USDC of its network.',
    'Check the token’s address; the splitters route names the USDC of each network.',
  ),
  CACHEABLE_402: words('Caches may store the 402.', 'Send `Cache-Control: no-store` with it.'),
  PAYTO_CHANGED: words(
    'An entry pays an address other than the listing’s fee splitter.',
    'Make every entry pay the splitter of its network, then revise and activate the listing.',
  ),
  HEADERS_OVERFLOW: words(
    'The response headers exceed 16 KiB, at which stock clients give up.',
    'Keep schemas out of the header; `/openapi.json` can hold them.',
  ),
  GATEWAY_BATCHED: words(
    'An entry is paid through Circle’s Gateway, although its scheme says `exact`.',
    'Add an entry that is paid with the token’s own `transferWithAuthorization`.',
  ),
  TRANSFER_METHOD_UNSUPPORTED: words(
    'An entry moves the token by a method other than EIP-3009.',
    'Add an entry without `extra.assetTransferMethod`, or with `eip3009`.',
  ),
  PAYMENT_FLOW_UNKNOWN: words(
    'An entry has a payment flow that stock clients do not know.',
    'Leave out `extra.paymentFlow`, or set it to `authorization`, `upfront` or `escrow`.',
  ),
  TIMEOUT_TOO_SHORT: words(
    'An entry gives less time than a settlement takes.',
    'Set `maxTimeoutSeconds` to 60 or more.',
  ),
  BEHIND_UNPAYABLE: words(
    'A valid entry comes after one that stock clients choose and then cannot pay.',
    'Fix or remove the entry before it.',
  ),
  MPP_ALSO_OFFERED: words(
    'The machine payments protocol is offered as well.',
    'Nothing to fix: Callboard pays with x402.',
  ),
  MPP_REQUEST_UNREADABLE: words(
    'The request of an MPP challenge is not base64url of a JSON object.',
    'Encode the request as base64url without padding.',
  ),
  ROUTE_BOUND: words(
    'The offer names its route in the extension `mppx`; a server that requires payments bound to it refuses those of stock clients.',
    'Accept payments without that binding as well: in pympp `route_binding="resource"`; mppx does so by default.',
  ),
}

/** One sentence for each reason why an entry cannot be paid here, and one for its fix. */
export const REASON_WORDS: Readonly<Record<NotPayableReason, Words>> = {
  scheme: words('Callboard pays only the scheme `exact`.', 'Add an entry with the scheme `exact`.'),
  network: words('Callboard does not pay on this network.', 'Add an entry on a supported network.'),
  asset: words('The token is not the USDC of the network.', 'Set `asset` to the USDC of the network.'),
  'gateway-batched': ISSUE_WORDS.GATEWAY_BATCHED,
  'transfer-method': ISSUE_WORDS.TRANSFER_METHOD_UNSUPPORTED,
  'payment-flow': ISSUE_WORDS.PAYMENT_FLOW_UNKNOWN,
  'eip712-domain': words(
    '`extra.name` or `extra.version` is not the token’s EIP-712 domain, so the token refuses the signature.',
    'Copy both from the token’s own `name()` and `version()`.',
  ),
  payee: ISSUE_WORDS.PAYTO_INVALID,
  amount: ISSUE_WORDS.AMOUNT_NOT_POSITIVE,
  timeout: ISSUE_WORDS.TIMEOUT_TOO_SHORT,
  version: words('The offer declares no version that clients pay.', 'Set `x402Version` to 2.'),
  transport: words(
    'The entry is where clients of its version do not look for it, or in headers that they refuse as too long.',
    'Send version 2 in the `PAYMENT-REQUIRED` header, within 16 KiB of headers.',
  ),
  'behind-unpayable': ISSUE_WORDS.BEHIND_UNPAYABLE,
  mcp: words(
    'The entry belongs to an MCP tool, which is paid within MCP, where clients of HTTP endpoints do not look.',
    'Put an HTTP endpoint that answers 402 in front of the tool.',
  ),
}
