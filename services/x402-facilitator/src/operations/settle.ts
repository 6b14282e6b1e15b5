import type { x402Facilitator } from '@callboard/contract'
import { orUnavailable } from '../chain/or-unavailable.ts'
import type { FacilitatorHandler } from '../kit.ts'
import { settlePayment } from '../settlement/settle.ts'
import { waitMsOf } from '../settlement/wait.ts'

export const settle: FacilitatorHandler<typeof x402Facilitator.settle> = (request, ctx) =>
  orUnavailable(settlePayment(ctx, request, { v1: ctx.config.X402_V1, waitMs: waitMsOf(ctx) }))
