import { type NoncePurpose, STATEMENTS, x402Facilitator } from '@callboard/contract'
import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { type Api, ApiUnreachable } from './api.ts'

/** A wallet that can sign text: a viem account, for example. */
export interface MessageSigner {
  readonly address: string
  signMessage(given: { message: string }): Promise<string>
}

/** What a service says that a message must contain. */
export interface AskedMessage {
  readonly nonce: string
  readonly domain: string
  readonly uri: string
}

export interface MessagePurpose {
  readonly purpose: NoncePurpose
  readonly chainId: number
}

/** A service asks for a signature in the name of another one; nothing was signed. */
export class WrongOrigin extends Error {
  override readonly name = 'WrongOrigin'
}

const NONCE = /^[A-Za-z0-9]{8,128}$/

/**
 * Writes the EIP-4361 message of a purpose, and signs it. The service decides only its nonce: the statement, which says
 * what the signature is for, is ours, and the domain must be the service's own.
 * @throws WrongOrigin
 */
export async function signFor(
  api: Api,
  wallet: MessageSigner,
  { nonce, domain, uri, purpose, chainId }: AskedMessage & MessagePurpose,
): Promise<{ readonly message: string; readonly signature: string }> {
  requireOrigin(api, { domain, uri })
  if (!NONCE.test(nonce)) throw new ApiUnreachable(`${api.baseUrl} answered without a valid nonce`)
  const address = getAddress(wallet.address)
  const statement = STATEMENTS[purpose]
  const message = createSiweMessage({ nonce, statement, domain, uri, address, chainId, version: '1' })
  return { message, signature: await wallet.signMessage({ message }) }
}

/**
 * A wallet signs only for the service that it talks to (EIP-4361): any other could present the signature where it
 * counts, and get what it grants there.
 * @throws WrongOrigin
 */
function requireOrigin({ baseUrl }: Api, { domain, uri }: Pick<AskedMessage, 'domain' | 'uri'>): void {
  const own = new URL(baseUrl)
  const named = URL.canParse(uri) ? new URL(uri) : undefined
  if (named && named.host === domain && isSame(own, named)) return
  throw new WrongOrigin(
    `${own.origin} asks for a signature for ${domain}. Nothing was signed. If you trust it, call it by that address.`,
  )
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const isSame = (one: URL, other: URL): boolean =>
  one.origin === other.origin ||
  (one.protocol === other.protocol && one.port === other.port && [one, other].every(isLoopback))

const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.includes(hostname)

/** Any chain that the service supports: the message must name one. */
export async function chainOf(api: Api, signal?: AbortSignal): Promise<number> {
  const { kinds } = await api.call(x402Facilitator.supported, {}, signal)
  const [chainId] = kinds.flatMap(({ network }) => /^eip155:(\d+)$/.exec(network)?.[1] ?? [])
  if (chainId === undefined) throw new ApiUnreachable(`${api.baseUrl} serves no EVM chain`)
  return Number(chainId)
}
