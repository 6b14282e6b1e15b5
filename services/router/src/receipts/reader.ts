import { isRefusal, type Refusal, refuse } from '@callboard/values'
import { type Credentials, payerOf } from '../calls/payer.ts'
import type { RouterContext } from '../context.ts'
import { keyByHash, type RouterKey } from '../store/key.repository.ts'

/**
 * The key, or the wallet that signs in, whose receipts are read.
 * @returns undefined for a wallet that has made no call yet
 */
export async function readerOf(
  ctx: RouterContext,
  credentials: Credentials,
): Promise<RouterKey | undefined | Refusal<'unauthorized'>> {
  const payer = await payerOf(ctx, credentials)
  if (!payer) return refuse('unauthorized')
  if (isRefusal(payer)) return payer
  return (await keyByHash(ctx.db, payer.keyHash)) ?? (payer.wallet ? undefined : refuse('unauthorized'))
}
