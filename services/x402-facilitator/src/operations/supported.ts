import type { x402Facilitator } from '@callboard/contract'
import { BUILDER_CODE, PAYMENT_IDENTIFIER, v1NetworkName } from '@callboard/x402'
import type { FacilitatorHandler } from '../kit.ts'

/** When a settlement is answered with success, and when its block cannot go away any more. */
const CONFIRMATION = 'included'

export const supported: FacilitatorHandler<typeof x402Facilitator.supported> = async (_input, ctx) => {
  const kinds = [...ctx.parts.chains.values()]
    .filter(({ network }) => !ctx.parts.tokenChecks.isRefused(network))
    .flatMap(({ network, finality, finalityDepth }) => {
      const extra = { confirmation: CONFIRMATION, finality, finalityDepth }
      const v2 = { x402Version: 2, scheme: 'exact', network, extra }
      const v1Name = v1NetworkName(network, ctx.parts.v1Networks)
      return v1Name && ctx.config.X402_V1 ? [v2, { x402Version: 1, scheme: 'exact', network: v1Name }] : [v2]
    })
  return {
    kinds,
    extensions: ['bazaar', BUILDER_CODE, PAYMENT_IDENTIFIER],
    signers: { 'eip155:*': [...ctx.parts.keys.keys()] },
  }
}
