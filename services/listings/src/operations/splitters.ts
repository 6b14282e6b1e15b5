import type { listings } from '@callboard/contract'
import { chainOf, deployTransaction, readSplitterStates, SPLITTER_FEE_BP } from '@callboard/evm'
import { isRefusal } from '@callboard/values'
import type { ListingsHandler } from '../kit.ts'
import { unlessAway } from '../unless-away.ts'

export const splitters: ListingsHandler<typeof listings.splitters> = async ({ wallet }, ctx) => {
  const { chains, clients } = ctx.parts
  const states = await unlessAway(ctx, 'payout network', () => readSplitterStates(clients, chains, wallet))
  if (isRefusal(states)) return states
  return {
    feeBp: SPLITTER_FEE_BP,
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
        deploy: deployTransaction(factory, wallet),
      }
    }),
  }
}
