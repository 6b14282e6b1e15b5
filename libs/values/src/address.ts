/**
 * An EVM address in its one internal form: 0x and 40 hex digits in EIP-55 checksum case. It is created where text
 * enters (the schemas of libs/x402), so addresses are equal if and only if their texts are.
 * @source EIP-55
 */
export type Address = `0x${string}`

/** Any 0x-prefixed hex text: a hash, a signature, calldata. */
export type Hex = `0x${string}`

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HASH32 = /^0x[0-9a-fA-F]{64}$/

/** Whether a text is 0x and 40 hex digits in any case; does not check the checksum. */
export const looksLikeAddress = (text: string): text is Address => ADDRESS.test(text)

/** Whether a text is 0x and 64 hex digits: a transaction hash, an EIP-3009 nonce. */
export const looksLikeHash = (text: string): text is Hex => HASH32.test(text)

export const ZERO_ADDRESS: Address = '0x0000000000000000000000000000000000000000'
