import { isRefusal } from '@callboard/values'
import type { AnthropicHeaders } from '../domain/asked/anthropic-headers.ts'
import type { CallContext, CallRefusal } from './call.ts'
import { nothingBought } from './hold-call.ts'
import { correctTokens } from './key-rates.ts'
import { offerTopUp } from './offer-top-up.ts'
import { type Admitted, holdOrOffer, payAndHold } from './pay-and-hold.ts'
import { type Credentials, payerOf } from './payer.ts'
import { type AskedCall, prepare, type ReadCall, readCall, refuseUnfit } from './prepare.ts'

/** Decides whether a call may be made and holds its maximum cost; no upstream is asked before that. */
export async function admit(
  ctx: CallContext,
  asked: AskedCall & Credentials,
): Promise<(Admitted & Pick<ReadCall, 'candidates'> & Pick<AnthropicHeaders, 'headers'>) | CallRefusal> {
  const payer = await payerOf(ctx, asked)
  if (payer && isRefusal(payer)) return payer
  const read = readCall(ctx, asked)
  if (isRefusal(read)) return payer ? refuseUnfit(ctx, read, payer) : read
  const { surface, bounds, candidates } = read
  if (!payer) {
    const { refusal, needed } = nothingBought(ctx, bounds.least)
    const message = 'The call has no Router key: send one, sign in with a wallet that has a balance, or pay the offer.'
    return offerTopUp(ctx, { ...refusal, message }, { needed, surface })
  }
  const prepared = await prepare(ctx, read, payer)
  if (isRefusal(prepared)) return prepared
  const admitted = ctx.payment ? await payAndHold(ctx, prepared, ctx.payment) : await holdOrOffer(ctx, prepared)
  if (!isRefusal(admitted)) return { ...admitted, candidates, headers: read.api.headers }
  await correctTokens(ctx, payer.rateHash, { expected: bounds.expectedTokens, used: 0 })
  return admitted
}
