import { type Address, type Hex, memoize } from '@callboard/values'
import { stringToHex } from 'viem/utils'
import type { Authorization } from '../messages/payment-payload.ts'
import { keccak256 } from './keccak256.ts'

/** @source EIP-3009 */
export const TRANSFER_WITH_AUTHORIZATION_TYPEHASH: Hex =
  '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267'
export const RECEIVE_WITH_AUTHORIZATION_TYPEHASH: Hex =
  '0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8'
export const CANCEL_AUTHORIZATION_TYPEHASH: Hex = '0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429'

/** topic0 of `AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)`; emitted directly before `Transfer`. */
export const AUTHORIZATION_USED_TOPIC: Hex = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'

const DOMAIN_TYPEHASH = keccak256(
  stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)

/** The EIP-712 domain of a token; `verifyingContract` is the x402 `asset`. */
export interface TokenDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

const number = (value: bigint | string | number) => BigInt(value).toString(16).padStart(64, '0')
const address = (value: Address) => value.slice(2).toLowerCase().padStart(64, '0')
const bytes = (value: Hex) => value.slice(2)

const MAX_CACHED_DOMAINS = 256

type DomainParts = readonly [name: string, version: string, chainId: number, verifyingContract: Address]

/** The separator of a domain whose parts are given as JSON. */
const separatorOf = memoize((parts: string): Hex => {
  const [name, version, chainId, verifyingContract] = JSON.parse(parts) as DomainParts
  const hashes = [name, version].map((text) => bytes(keccak256(stringToHex(text)))).join('')
  return keccak256(`${DOMAIN_TYPEHASH}${hashes}${number(chainId)}${address(verifyingContract)}`)
}, MAX_CACHED_DOMAINS)

/**
 * The EIP-712 domain separator, which the token publishes as `DOMAIN_SEPARATOR()`. Compare the two at startup: a wrong
 * name or version then fails once, not at every payment.
 */
export function domainSeparator({ name, version, chainId, verifyingContract }: TokenDomain): Hex {
  const parts: DomainParts = [name, version, chainId, verifyingContract]
  return separatorOf(JSON.stringify(parts))
}

const words = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  address(from) + address(to) + number(value) + number(validAfter) + number(validBefore) + bytes(nonce)

/** The 32 bytes the payer signs: the EIP-712 digest of `TransferWithAuthorization` in the token's domain. */
export function authorizationDigest(domain: TokenDomain, authorization: Authorization): Hex {
  const struct = keccak256(`${TRANSFER_WITH_AUTHORIZATION_TYPEHASH}${words(authorization)}`)
  return keccak256(`0x1901${bytes(domainSeparator(domain))}${bytes(struct)}`)
}

/** Calldata of `transferWithAuthorization(…,uint8 v,bytes32 r,bytes32 s)`, for a payer without code. Needs 65 bytes. */
export function transferCalldataVrs(authorization: Authorization, signature: Hex): Hex {
  const text = bytes(signature)
  return `0xe3ee160e${words(authorization)}${text.slice(128).padStart(64, '0')}${text.slice(0, 128)}`
}

/** Calldata of `transferWithAuthorization(…,bytes signature)`, for a payer with code; a signature of any length. */
export function transferCalldataBytes(authorization: Authorization, signature: Hex): Hex {
  const text = bytes(signature)
  const padded = text.padEnd(Math.ceil(text.length / 64) * 64, '0')
  return `0xcf092995${words(authorization)}${number(7 * 32)}${number(text.length / 2)}${padded}`
}
