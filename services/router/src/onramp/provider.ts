import type { router } from '@callboard/contract'
import type { Address, Caip2 } from '@callboard/values'

/** What a session is asked for, as the operation has checked it. */
export interface OnrampAsked {
  readonly wallet: Address
  readonly network: Caip2
  /** USDC to be bought, decimal text. */
  readonly amountUsd: string
  readonly redirectUrl?: string | undefined
  readonly country?: string | undefined
  readonly subdivision?: string | undefined
}

/** What a provider made of it. */
export type OnrampMade = Pick<router.OnrampSession, 'provider' | 'onrampUrl' | 'transaction' | 'quote' | 'message'>

/** A provider made no session. Nothing was bought, and asking again may make another session: nothing here repeats it. */
export interface OnrampFailure {
  /** In words for whoever asked, after "The provider". */
  readonly failed: string
}

/** Who sells USDC for money. */
export interface OnrampProvider {
  serves(network: Caip2): boolean
  /** Asks for one session, once. Never throws for what the provider does. */
  create(asked: OnrampAsked): Promise<OnrampMade | OnrampFailure>
}
