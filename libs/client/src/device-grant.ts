import { setTimeout as wait } from 'node:timers/promises'
import {
  agents,
  DEVICE_CODE_GRANT,
  type OutputOf,
  oauth,
  type Scope,
  type TokenAnswer,
  x402Facilitator,
} from '@callboard/contract'
import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { type Api, ApiRefusal, ApiUnreachable } from './api.ts'

/** A wallet that can sign text: a viem account, for example. */
export interface MessageSigner {
  readonly address: string
  signMessage(given: { message: string }): Promise<string>
}

export interface LinkRequest {
  /** The agent's name for itself. */
  readonly label: string
  readonly device?: string | undefined
  /** Requests approval without asking the owner, where the owner trusts the device. */
  readonly trustDevice?: boolean | undefined
  readonly scopes?: readonly Scope[] | undefined
  /** A suggestion; the owner decides. */
  readonly routerAllowanceUsd?: number | undefined
}

export type LinkBegun = OutputOf<typeof agents.deviceAuthorization>

/** The state of a grant, as polling sees it. */
export type PollState = 'pending' | 'slow_down' | 'unreachable'

export interface LinkProgress {
  /** Receives the code to show to the owner, with the address where it is approved. */
  readonly onCode?: (begun: LinkBegun) => void
  readonly onPoll?: (state: PollState, nextInSeconds: number) => void
  readonly signal?: AbortSignal | undefined
}

const SLOWER_S = 5
const AGAIN_S = 5

/** Requests a link: a nonce, the wallet's signature, and the codes of RFC 8628 §3.2. */
export async function beginLink(
  api: Api,
  wallet: MessageSigner,
  request: LinkRequest,
  signal?: AbortSignal,
): Promise<LinkBegun> {
  const asked = await api.call(oauth.siweNonce, { purpose: 'link' }, signal)
  const { nonce, statement, domain, uri } = asked
  requireOrigin(api, { domain, uri })
  const address = getAddress(wallet.address)
  const chainId = await chainOf(api, signal)
  const message = createSiweMessage({ nonce, statement, domain, uri, address, chainId, version: '1' })
  return api.call(
    agents.deviceAuthorization,
    {
      agent_message: message,
      agent_signature: await wallet.signMessage({ message }),
      label: request.label,
      ...(request.device === undefined ? {} : { device: request.device }),
      ...(request.trustDevice === undefined ? {} : { trust_device: request.trustDevice }),
      ...(request.scopes === undefined ? {} : { scope: request.scopes.join(' ') }),
      ...(request.routerAllowanceUsd === undefined ? {} : { router_allowance_usd: request.routerAllowanceUsd }),
    } as Parameters<typeof api.call<typeof agents.deviceAuthorization>>[1],
    signal,
  )
}

/** A service asks for a signature in the name of another one; nothing was signed. */
export class WrongOrigin extends Error {
  override readonly name = 'WrongOrigin'
}

/**
 * A wallet signs only for the service that it talks to (EIP-4361): any other could present the signature where it
 * counts, and get the tokens that the owner approves there.
 * @throws WrongOrigin
 */
function requireOrigin({ baseUrl }: Api, { domain, uri }: { readonly domain: string; readonly uri: string }): void {
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
async function chainOf(api: Api, signal?: AbortSignal): Promise<number> {
  const { kinds } = await api.call(x402Facilitator.supported, {}, signal)
  const [chainId] = kinds.flatMap(({ network }) => /^eip155:(\d+)$/.exec(network)?.[1] ?? [])
  if (chainId === undefined) throw new ApiUnreachable(`${api.baseUrl} serves no EVM chain`)
  return Number(chainId)
}

/**
 * Polls until the owner has decided (RFC 8628 §3.4, §3.5), for as long as the code is valid.
 * @throws ApiRefusal `access_denied`, `expired_token` or any other refusal that ends it; ApiUnreachable, or a refusal of
 * a service that is unavailable, when the code has expired meanwhile
 */
export async function awaitLink(api: Api, begun: LinkBegun, progress: LinkProgress = {}): Promise<TokenAnswer> {
  const { signal } = progress
  let interval = begun.interval
  const ends = Date.now() + begun.expires_in * 1_000
  for (;;) {
    try {
      return await api.call(
        oauth.token,
        { grant_type: DEVICE_CODE_GRANT, device_code: begun.device_code, client_id: begun.client_id },
        signal,
      )
    } catch (error) {
      const state = stateOf(error)
      // A service that answers says itself that the code has expired.
      if (!state || (state === 'unreachable' && Date.now() > ends)) throw error
      if (state === 'slow_down') interval += SLOWER_S
      const pause = state === 'unreachable' ? Math.max(AGAIN_S, retryOf(error)) : interval
      progress.onPoll?.(state, pause)
      await wait(pause * 1_000, undefined, { signal })
    }
  }
}

const retryOf = (error: unknown) => (error instanceof ApiRefusal ? (error.retryAfterSeconds ?? 0) : 0)

/** Whether a failed poll only means "again, later". */
function stateOf(error: unknown): PollState | undefined {
  if (error instanceof ApiUnreachable) return 'unreachable'
  if (!(error instanceof ApiRefusal)) return undefined
  if (error.code === 'authorization_pending') return 'pending'
  if (error.code === 'slow_down') return 'slow_down'
  return error.status === 429 || error.status >= 500 ? 'unreachable' : undefined
}

/** The whole flow: requests a link, shows the code, and waits for the owner. */
export async function link(
  api: Api,
  wallet: MessageSigner,
  request: LinkRequest,
  progress: LinkProgress = {},
): Promise<TokenAnswer & { readonly clientId: string }> {
  const begun = await beginLink(api, wallet, request, progress.signal)
  progress.onCode?.(begun)
  return { ...(await awaitLink(api, begun, progress)), clientId: begun.client_id }
}
