import type { x402Facilitator } from '@callboard/contract'
import { networkOf } from '@callboard/values'
import type { FacilitatorHandler } from '../context.ts'
import { orNotNow } from '../settlement/or-unavailable.ts'
import { waitMsOf } from '../settlement/purchase/wait.ts'
import { settlePayment } from '../settlement/settle.ts'

export const settle: FacilitatorHandler<typeof x402Facilitator.settle> = ({ requester, ...request }, ctx) =>
  orNotNow(
    settlePayment(ctx, request, {
      v1: ctx.config.X402_V1,
      waitMs: waitMsOf(ctx),
      origin: requester ? networkOf(requester.address) : null,
      requestId: ctx.requestId,
      sponsor: ctx.caller.kind === 'anonymous' ? null : ctx.caller.owner,
    }),
  )
