import { MINUTE_MS } from '@callboard/values'
import type { Caller } from './caller.ts'
import type { Scope } from './schemas/agent.ts'

/** What an owner is about to give away. */
export interface Giving {
  readonly scopes: readonly Scope[]
  /** USD a day. */
  readonly allowanceUsd?: number
  readonly trustsDevice?: boolean
}

/** Within how long a wallet must have signed for what weighs more. Milliseconds. */
export const FRESH_SIGNATURE_MS = 15 * MINUTE_MS

/** A higher daily limit weighs more. USD. */
export const LIGHT_ALLOWANCE_USD = 20

/**
 * Whether an owner's wallet has to sign again before this is given: the session is older than a quarter of an hour, and
 * listings may be published, a device is trusted, or more than 20 USD may be spent a day. A session that does not say when
 * its wallet signed counts as old.
 * @param now epoch milliseconds
 */
export function needsFreshSignature(
  { signedInAt }: Pick<Extract<Caller, { kind: 'session' }>, 'signedInAt'>,
  { scopes, allowanceUsd = 0, trustsDevice = false }: Giving,
  now: number,
): boolean {
  const isHeavy = scopes.includes('call.publish') || allowanceUsd > LIGHT_ALLOWANCE_USD || trustsDevice
  return isHeavy && (signedInAt === undefined || now - Date.parse(signedInAt) > FRESH_SIGNATURE_MS)
}
