import type { Address, Hex } from '@callboard/values'
import { getAddress, isAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'

/** One signing account as FACILITATOR_KEYS names it. */
export type SignerEntry = { readonly retiring: boolean } & (
  | { readonly kind: 'local'; readonly key: Hex }
  | { readonly kind: 'aws-kms' | 'gcp-kms' | 'web3signer'; readonly address: Address; readonly at: string }
)

const RETIRING = 'retiring:'
const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/
const REMOTE = /^(aws-kms|gcp-kms|web3signer):(0x[0-9a-fA-F]{40})@(.+)$/
/** The pattern of a key's name, by where it is kept. */
const PLACES = {
  'aws-kms': /^arn:[a-z-]+:kms:([a-z0-9-]+):\d{12}:(key|alias)\/[\w/-]+$/,
  'gcp-kms': /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+$/,
  web3signer: /^https?:\/\/[^\s]+\/api\/v1\/eth1\/sign\/0x[0-9a-fA-F]+$/,
} as const

/** The forms of an entry, for the error message. */
export const SIGNER_FORMS =
  'must be private keys (0x and 64 hex digits), `aws-kms:0xADDRESS@ARN`, `gcp-kms:0xADDRESS@projects/…/cryptoKeyVersions/N` or `web3signer:0xADDRESS@URL`, each once, comma-separated, and one of them not `retiring:`'

/**
 * Reads the entries of FACILITATOR_KEYS.
 * @returns undefined where one is invalid, all are retiring, or an account is named twice, of which one entry would not
 *   take effect
 */
export function readSigners(text: string): readonly SignerEntry[] | undefined {
  const entries = text.split(',').map((one) => readSigner(one.trim()))
  const known = entries.filter((entry) => entry !== undefined)
  const accounts = new Set(known.map(accountOf))
  const areAll = known.length === entries.length && accounts.size === known.length && !accounts.has(undefined)
  return areAll && known.some(({ retiring }) => !retiring) ? known : undefined
}

/** Undefined for digits that are no private key: zero, or beyond the order of the curve. */
function accountOf(entry: SignerEntry): Address | undefined {
  if (entry.kind !== 'local') return entry.address
  try {
    return privateKeyToAddress(entry.key)
  } catch {
    return undefined
  }
}

function readSigner(text: string): SignerEntry | undefined {
  const retiring = text.startsWith(RETIRING)
  const named = retiring ? text.slice(RETIRING.length) : text
  if (PRIVATE_KEY.test(named)) return { kind: 'local', key: named as Hex, retiring }
  const [, kind, address = '', at = ''] = REMOTE.exec(named) ?? []
  if (!isPlace(kind) || !PLACES[kind].test(at) || !isAddress(address)) return undefined
  return { kind, address: getAddress(address), at, retiring }
}

const isPlace = (kind: string | undefined): kind is keyof typeof PLACES => kind !== undefined && kind in PLACES

/** The region of an AWS key. */
export const regionOf = (arn: string): string => PLACES['aws-kms'].exec(arn)?.[1] ?? ''
