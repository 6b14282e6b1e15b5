import { createHash } from 'node:crypto'
import { type Address, isRefusal, type Refusal } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { presentedPayment } from '../top-ups/presented.ts'
import { signedIn } from '../wallets/sign-in-with-x.ts'
import { walletHash } from '../wallets/wallet-key.ts'
import type { CallContext } from './call.ts'

/** The payer of a call. */
export interface Payer {
  /** The hash under which the call is held. */
  readonly keyHash: Uint8Array
  /** The hash under which its rates are counted. */
  readonly rateHash: Uint8Array
  /** Absent for a key. */
  readonly wallet?: Address
  /** Whether only the payment, which the facilitator checks, will prove the wallet. */
  readonly isUnproved: boolean
}

export interface Credentials {
  readonly routerKey?: string | undefined
  readonly signInWithX?: string | undefined
}

/**
 * The payer of a call: its key; without one, the wallet that signs in; without either, the wallet that pays.
 * @returns undefined for a call without credentials
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
  // Anyone can name a wallet, so others must not be able to use up its rates.
  const rateHash = createHash('sha256').update(presented.paymentKey).digest()
  return { keyHash: walletHash(presented.from), rateHash, wallet: presented.from, isUnproved: true }
}
