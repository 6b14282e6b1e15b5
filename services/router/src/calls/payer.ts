import { createHash } from 'node:crypto'
import { type Address, isRefusal, type Refusal } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { presentedPayment } from '../top-ups/presented.ts'
import { signedIn } from '../wallets/sign-in-with-x.ts'
import { walletHash } from '../wallets/wallet-key.ts'
import type { CallContext } from './call.ts'

/** Who a call is paid by. */
export interface Payer {
  /** What the call is held under. */
  readonly keyHash: Uint8Array
  /** What its rates are counted under. */
  readonly rateHash: Uint8Array
  /** Absent for a key. */
  readonly wallet?: Address
  /** Whether nothing proves the wallet yet but the payment, which the facilitator checks. */
  readonly isUnproved: boolean
}

export interface Credentials {
  readonly routerKey?: string | undefined
  readonly signInWithX?: string | undefined
}

/**
 * Whose call it is: that of its key; without one that of the wallet that signs in; without either that of the wallet that
 * pays. @returns undefined for a call that brings nothing
 */
export async function payerOf(
  ctx: RouterContext & Pick<CallContext, 'payment'>,
  { routerKey, signInWithX }: Credentials,
): Promise<Payer | Refusal<'unauthorized'> | undefined> {
  if (routerKey !== undefined) {
    const keyHash = hashSecret(routerKey)
    return { keyHash, rateHash: keyHash, isUnproved: false }
  }
  if (signInWithX !== undefined) {
    const login = await signedIn(ctx, signInWithX)
    if (isRefusal(login)) return login
    const keyHash = walletHash(login.wallet)
    return { keyHash, rateHash: keyHash, wallet: login.wallet, isUnproved: false }
  }
  const presented = ctx.payment && presentedPayment(ctx.payment.payload)
  if (!presented) return undefined
  // Anyone can name a wallet: its rates are not for others to use up.
  const rateHash = createHash('sha256').update(presented.paymentKey).digest()
  return { keyHash: walletHash(presented.from), rateHash, wallet: presented.from, isUnproved: true }
}
