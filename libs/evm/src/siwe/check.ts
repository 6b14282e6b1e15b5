import { type Address, type Hex, MINUTE_MS, SECOND_MS } from '@callboard/values'
import { recoverSigner, signatureFault } from '@callboard/x402'
import { hashMessage, isHex, size } from 'viem'
import { parseSiwe, SIWE_MAX_LENGTH, type SiweFields } from './message.ts'

/** Why a message does not sign its sender in. The first that applies, in this order. */
export type SiweReason =
  | 'too_long'
  | 'malformed'
  | 'scheme_mismatch'
  | 'domain_mismatch'
  | 'uri_mismatch'
  | 'statement_mismatch'
  | 'nonce_mismatch'
  | 'chain_not_allowed'
  | 'issued_in_the_future'
  | 'issued_too_long_ago'
  | 'expired'
  | 'not_yet_valid'
  | 'bad_signature'

/** What the message must contain. Every member is compared exactly. */
export interface SiweExpectation {
  /** Host and port of the site's own base URL. */
  readonly domain: string
  /** The site's origin; one trailing slash is ignored. */
  readonly uri: string
  readonly statement: string
  /** Set where the nonce is already known; otherwise the caller consumes the one returned. */
  readonly nonce?: string
  readonly chainIds: readonly number[]
}

/** The question put to a contract wallet, on the message's own chain. */
export interface ContractSignature {
  readonly chainId: number
  readonly address: Address
  /** EIP-191 hash of the message. */
  readonly hash: Hex
  readonly signature: Hex
}

/** Whether the account's contract accepts the signature; throws when the chain cannot be asked. */
export type VerifyContractSignature = (question: ContractSignature) => Promise<boolean>

export interface SiweCheck {
  readonly message: string
  readonly signature: string
  readonly expect: SiweExpectation
  /** Milliseconds since the epoch. */
  readonly now: number
  /** EIP-1271, asked only when recovery gives another address. Without it such a signature is bad. */
  readonly verifyContractSignature?: VerifyContractSignature
}

/** What proves a signature: the address's key, which is the same on every chain, or its code on one chain. */
export type ProvedBy = 'key' | 'contract'

export type SiweResult =
  | {
      readonly ok: true
      readonly address: Address
      readonly nonce: string
      readonly chainId: number
      /** `contract`: the account's contract on the message's chain accepted the signature; no other chain was asked. */
      readonly provedBy: ProvedBy
    }
  | { readonly ok: false; readonly reason: SiweReason }

/** `Issued At` may be this far ahead of our clock. */
const CLOCK_SKEW_MS = 60 * SECOND_MS
/** A message older than this is no longer accepted; nonces live as long. */
const MAX_AGE_MS = 10 * MINUTE_MS
/** r, s and v; some wallets write only the parity as v. */
const EOA_SIGNATURE = /^(0x[0-9a-f]{128})(00|01|1b|1c)$/i
/** EIP-2098: r, and s with the parity as its highest bit. */
const COMPACT_SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f])([0-9a-f]{63})$/i
/** The longest signature that is read, in bytes. A contract may accept any, even an empty one. */
export const MAX_SIGNATURE_BYTES = 8192

/**
 * Checks a signed EIP-4361 message. The nonce is returned, not consumed: the caller consumes it once, and only that
 * prevents replay, because one message has several valid signatures.
 * @throws what `verifyContractSignature` throws, so a node's outage is never treated as a bad signature
 * @source EIP-4361, EIP-191, EIP-1271, EIP-2098
 */
export async function checkSiwe(check: SiweCheck): Promise<SiweResult> {
  if (check.message.length > SIWE_MAX_LENGTH) return { ok: false, reason: 'too_long' }
  const fields = parseSiwe(check.message)
  if (!fields) return { ok: false, reason: 'malformed' }
  const reason = contentReason(fields, check.expect) ?? timeReason(fields, check.now)
  if (reason) return { ok: false, reason }
  const provedBy = await proof(fields, check)
  if (!provedBy) return { ok: false, reason: 'bad_signature' }
  const { address, nonce, chainId } = fields
  return { ok: true, address, nonce, chainId, provedBy }
}

function contentReason(fields: SiweFields, expect: SiweExpectation): SiweReason | undefined {
  if (fields.scheme !== undefined && !expect.uri.startsWith(`${fields.scheme}://`)) return 'scheme_mismatch'
  if (fields.domain !== expect.domain || fields.domain.includes('@')) return 'domain_mismatch'
  if (withoutSlash(fields.uri) !== withoutSlash(expect.uri)) return 'uri_mismatch'
  if (fields.statement !== expect.statement) return 'statement_mismatch'
  if (expect.nonce !== undefined && fields.nonce !== expect.nonce) return 'nonce_mismatch'
  if (!expect.chainIds.includes(fields.chainId)) return 'chain_not_allowed'
  return undefined
}

function timeReason(fields: SiweFields, now: number): SiweReason | undefined {
  const issuedAt = Date.parse(fields.issuedAt)
  if (issuedAt > now + CLOCK_SKEW_MS) return 'issued_in_the_future'
  if (issuedAt < now - MAX_AGE_MS) return 'issued_too_long_ago'
  if (fields.expirationTime !== undefined && now >= Date.parse(fields.expirationTime)) return 'expired'
  if (fields.notBefore !== undefined && now < Date.parse(fields.notBefore)) return 'not_yet_valid'
  return undefined
}

const withoutSlash = (uri: string) => (uri.endsWith('/') ? uri.slice(0, -1) : uri)

async function proof(fields: SiweFields, check: SiweCheck): Promise<ProvedBy | undefined> {
  const { message, signature, verifyContractSignature } = check
  if (!isWholeBytes(signature) || size(signature) > MAX_SIGNATURE_BYTES) return undefined
  const hash = hashMessage(message)
  if ((await recovered(hash, signature)) === fields.address) return 'key'
  const { address, chainId } = fields
  return (await verifyContractSignature?.({ chainId, address, hash, signature })) ? 'contract' : undefined
}

const isWholeBytes = (text: string): text is Hex => isHex(text) && text.length % 2 === 0

/** Expands a compact signature to 65 bytes; leaves any other unchanged. One with s in the upper half is invalid. */
function expanded(signature: Hex): Hex {
  const [, r, high, rest] = COMPACT_SIGNATURE.exec(signature) ?? []
  if (r === undefined || high === undefined || rest === undefined) return signature
  const digit = Number.parseInt(high, 16)
  const full: Hex = `0x${r}${(digit & 7).toString(16)}${rest}${digit > 7 ? '1c' : '1b'}`
  return signatureFault(full) ? signature : full
}

/** The account whose key signed the hash, in EIP-55; undefined when the bytes are not an ECDSA signature. */
async function recovered(hash: Hex, signature: Hex): Promise<Address | undefined> {
  const [, rs, v = ''] = EOA_SIGNATURE.exec(expanded(signature)) ?? []
  if (rs === undefined) return undefined
  const parity = Number.parseInt(v, 16) % 27
  return recoverSigner(hash, `${rs as Hex}${parity === 0 ? '1b' : '1c'}`).catch(() => undefined)
}
