import { setTimeout as wait } from 'node:timers/promises'
import { agents, DEVICE_CODE_GRANT, type OutputOf, oauth, type Scope, type TokenAnswer } from '@callboard/contract'
import { type Api, ApiRefusal, ApiUnreachable } from './api.ts'
import { chainOf, type MessageSigner, signFor } from './signed-message.ts'

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
  const chainId = await chainOf(api, signal)
  const { message, signature } = await signFor(api, wallet, { ...asked, purpose: 'link', chainId })
  return api.call(
    agents.deviceAuthorization,
    {
      agent_message: message,
      agent_signature: signature,
      label: request.label,
      ...(request.device === undefined ? {} : { device: request.device }),
      ...(request.trustDevice === undefined ? {} : { trust_device: request.trustDevice }),
      ...(request.scopes === undefined ? {} : { scope: request.scopes.join(' ') }),
      ...(request.routerAllowanceUsd === undefined ? {} : { router_allowance_usd: request.routerAllowanceUsd }),
    } as Parameters<typeof api.call<typeof agents.deviceAuthorization>>[1],
    signal,
  )
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
