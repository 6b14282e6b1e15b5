import { isRefusal, type Refusal, refuse } from '@callboard/values'
import { type Credentials, payerOf } from '../calls/payer.ts'
import type { RouterContext } from '../context.ts'
import { keyByHash, type RouterKey } from '../store/key.repository.ts'

/**
 * Whose receipts are read: those of a key, or of a wallet that signs in.
 * @returns undefined for a wallet that made no call yet
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
