import type { router } from '@callboard/contract'
import type { Address, Caip2 } from '@callboard/values'

/** The request for a session, as checked by the operation. */
export interface OnrampAsked {
  readonly wallet: Address
  readonly network: Caip2
  /** USDC to be bought, decimal text. */
  readonly amountUsd: string
  readonly redirectUrl?: string | undefined
  readonly country?: string | undefined
  readonly subdivision?: string | undefined
}

/** A session that a provider made. */
export type OnrampMade = Pick<router.OnrampSession, 'provider' | 'onrampUrl' | 'transaction' | 'quote' | 'message'>

/** A provider made no session. Nothing was bought, but a retry might make a second session, so nothing here retries. */
export interface OnrampFailure {
  /** Words for the caller that follow "The provider". */
  readonly failed: string
}

/** A seller of USDC for fiat money. */
export interface OnrampProvider {
  serves(network: Caip2): boolean
  /** Requests one session, once. Never throws because of the provider. */
  create(asked: OnrampAsked): Promise<OnrampMade | OnrampFailure>
}
