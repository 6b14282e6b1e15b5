import type { x402Facilitator } from '@callboard/contract'
import { reasonIn, type VerifyResponse } from '@callboard/x402'
import type { FacilitatorContext, FacilitatorHandler } from '../context.ts'
import { suffixOf } from '../settlement/batching/ask-chain.ts'
import { orUnavailable } from '../settlement/or-unavailable.ts'
import { admission } from '../settlement/purchase/authenticate.ts'

export const verify: FacilitatorHandler<typeof x402Facilitator.verify> = (request, ctx) =>
  orUnavailable(verdictOn(request, ctx))

async function verdictOn(request: Parameters<typeof verify>[0], ctx: FacilitatorContext): Promise<VerifyResponse> {
  const admitted = admission(ctx, request, ctx.config.X402_V1)
  if (!admitted.ok) {
    const { reason, message, payer } = admitted
    const details = { ...(message === undefined ? {} : { invalidMessage: message }), ...(payer ? { payer } : {}) }
    return { isValid: false, invalidReason: reason, ...details }
  }
  const { transfer, payment } = admitted
  const payer = transfer.authorization.from
  if (!(await ctx.resources.tokenChecks.holds(transfer.network))) {
    return { isValid: false, invalidReason: reasonIn(transfer.x402Version, 'invalid_network'), payer }
  }
  ctx.resources.fees.expect(transfer.network)
  const askedAt = performance.now()
  const { verdict, balance, hasCode, batchable, sender } = await ctx.resources.batcher.ask({
    transfer,
    suffix: suffixOf(ctx, payment),
  })
  if (!verdict.ok) return { isValid: false, invalidReason: verdict.reason, payer }
  ctx.resources.recentProofs.keep(transfer, { balance, hasCode, batchable, sender, askedAt })
  return { isValid: true, payer }
}
