import type { x402Facilitator } from '@callboard/contract'
import type { Chain } from '@callboard/evm'
import { BUILDER_CODE, PAYMENT_IDENTIFIER, v1NetworkName } from '@callboard/x402'
import type { FacilitatorContext, FacilitatorHandler } from '../context.ts'

/**
 * How money moves here: by EIP-3009 alone. At start, a stock server's scheme checks the facilitator's `extra`
 * (`validateFacilitatorSupport`).
 */
const ASSET_TRANSFER_METHODS = ['eip3009']

export const supported: FacilitatorHandler<typeof x402Facilitator.supported> = async (_input, ctx) => {
  const served = [...ctx.resources.chains.values()].filter(
    ({ network }) => !ctx.resources.tokenChecks.isRefused(network),
  )
  const kinds = await Promise.all(served.map((chain) => kindsOf(chain, ctx)))
  return {
    kinds: kinds.flat(),
    extensions: ['bazaar', BUILDER_CODE, PAYMENT_IDENTIFIER],
    signers: { 'eip155:*': [...ctx.resources.keys.addresses()] },
  }
}

/**
 * `confirmation` tells from where on a settlement counts, and what an offer may ask for as its `extra.confirmation`;
 * `genesisHash` identifies the chain among those with the same id, so that no payer pays on another than the one read
 * here.
 */
async function kindsOf(
  { network, finality, finalityDepth, confirmation }: Chain,
  { resources, config }: Pick<FacilitatorContext, 'resources' | 'config'>,
) {
  const genesisHash = await resources.genesis.of(network)
  const extra = {
    assetTransferMethods: ASSET_TRANSFER_METHODS,
    confirmation,
    finality,
    finalityDepth,
    ...(genesisHash ? { genesisHash } : {}),
  }
  const v2 = { x402Version: 2, scheme: 'exact', network, extra }
  const v1Name = v1NetworkName(network, resources.v1Networks)
  return v1Name && config.X402_V1 ? [v2, { x402Version: 1, scheme: 'exact', network: v1Name, extra }] : [v2]
}
