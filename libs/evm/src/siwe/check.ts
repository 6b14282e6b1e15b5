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

/** What the message must say. Every member is compared letter for letter. */
export interface SiweExpectation {
  /** Host and port of the site's own base URL. */
  readonly domain: string
  /** The site's origin; one trailing slash more or less is the same. */
  readonly uri: string
  readonly statement: string
  /** Given where the nonce is already known; otherwise the caller consumes the one returned. */
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

/** True when the account's contract accepts the signature; throws when the chain cannot be asked. */
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

/** What stands behind a signature: the key of the address, which is one on every chain, or the code at it on one chain. */
export type ProvedBy = 'key' | 'contract'

export type SiweResult =
  | {
      readonly ok: true
      readonly address: Address
      readonly nonce: string
      readonly chainId: number
      /** `contract`: the account's contract on the chain of the message took the signature, and no other chain was asked. */
      readonly provedBy: ProvedBy
    }
  | { readonly ok: false; readonly reason: SiweReason }

/** `Issued At` may lie this far ahead of our clock. */
const CLOCK_SKEW_MS = 60 * SECOND_MS
/** A message older than this is no longer taken; nonces live as long. */
const MAX_AGE_MS = 10 * MINUTE_MS
/** r, s and v; of v some wallets write the parity alone. */
const EOA_SIGNATURE = /^(0x[0-9a-f]{128})(00|01|1b|1c)$/i
/** EIP-2098: r, and s with the parity as its highest bit. */
const COMPACT_SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f])([0-9a-f]{63})$/i
/** The longest signature that is read, in bytes. A contract may take any, none at all too. */
export const MAX_SIGNATURE_BYTES = 8192

/**
 * Checks a signed EIP-4361 message. The nonce is returned, not consumed: the caller spends it once, and only that
 * guards against replay, because one message has several valid signatures.
 * @throws what `verifyContractSignature` throws, so an outage of a node is never taken for a bad signature
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

/** A compact signature in 65 bytes; any other as it is. One with s in the upper half is none: recovery refuses it. */
function expanded(signature: Hex): Hex {
  const [, r, high, rest] = COMPACT_SIGNATURE.exec(signature) ?? []
  if (r === undefined || high === undefined || rest === undefined) return signature
  const digit = Number.parseInt(high, 16)
  const full: Hex = `0x${r}${(digit & 7).toString(16)}${rest}${digit > 7 ? '1c' : '1b'}`
  return signatureFault(full) ? signature : full
}

/** The account whose key signed the hash, in EIP-55; undefined when the bytes are no ECDSA signature. */
async function recovered(hash: Hex, signature: Hex): Promise<Address | undefined> {
  const [, rs, v = ''] = EOA_SIGNATURE.exec(expanded(signature)) ?? []
  if (rs === undefined) return undefined
  const parity = Number.parseInt(v, 16) % 27
  return recoverSigner(hash, `${rs as Hex}${parity === 0 ? '1b' : '1c'}`).catch(() => undefined)
}
