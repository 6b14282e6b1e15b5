import type { listings } from '@callboard/contract'
import { chainOf, deployTransaction, readSplitterStates, SPLITTER_FEE_BP } from '@callboard/evm'
import { decimalText, isRefusal, refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { splitterNetworks } from '../splitter-factories.ts'
import { unlessChainUnavailable } from '../unless-chain-unavailable.ts'

export const splitters: ListingsHandler<typeof listings.splitters> = async ({ wallet }, ctx) => {
  const { chains, clients } = ctx.resources
  const { served, refused, isUnknown } = await splitterNetworks(ctx)
  if (isUnknown)
    return refuse('temporarily_unavailable', {
      message: 'The payout network cannot be reached right now.',
      retryAfterSeconds: 5,
    })
  const servedChains = new Map(served.map((network) => [network, chainOf(chains, network)]))
  const states = await unlessChainUnavailable(ctx, () => readSplitterStates(clients, servedChains, wallet))
  if (isRefusal(states)) return states
  return {
    feeBp: SPLITTER_FEE_BP,
    ...(refused.length > 0 ? { refusedNetworks: refused } : {}),
    networkStates: states.map(({ network, address, factory, deployed, balanceBaseUnits }) => {
      const { name, chainId, usdc } = chainOf(chains, network)
      return {
        network,
        name,
        chainId,
        usdcAddress: usdc.address,
        factoryAddress: factory,
        splitterAddress: address,
        deployed,
        balanceWei: balanceBaseUnits.toString(),
        balanceUsdc: decimalText(balanceBaseUnits, usdc.decimals),
        deploy: deployTransaction(factory, wallet),
      }
    }),
  }
}
