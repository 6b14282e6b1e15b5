import type { x402Facilitator } from '@callboard/contract'
import { reasonIn, type VerifyResponse } from '@callboard/x402'
import { orUnavailable } from '../chain/or-unavailable.ts'
import type { FacilitatorHandler, FacilitatorKit } from '../kit.ts'
import { suffixOf } from '../settlement/ask-chain.ts'
import { admission } from '../settlement/authenticate.ts'

export const verify: FacilitatorHandler<typeof x402Facilitator.verify> = (request, ctx) =>
  orUnavailable(verdictOn(request, ctx))

async function verdictOn(request: Parameters<typeof verify>[0], kit: FacilitatorKit): Promise<VerifyResponse> {
  const admitted = admission(kit, request, kit.config.X402_V1)
  if (!admitted.ok)
    return { isValid: false, invalidReason: admitted.reason, ...(admitted.payer ? { payer: admitted.payer } : {}) }
  const { transfer, payment } = admitted
  const payer = transfer.authorization.from
  if (!(await kit.parts.tokenChecks.holds(transfer.network))) {
    return { isValid: false, invalidReason: reasonIn(transfer.x402Version, 'invalid_network'), payer }
  }
  const { verdict } = await kit.parts.joint.ask({ transfer, suffix: suffixOf(kit, payment) })
  return verdict.ok ? { isValid: true, payer } : { isValid: false, invalidReason: verdict.reason, payer }
}
