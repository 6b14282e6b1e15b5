import type { listings } from '@callboard/contract'
import { chainOf, deployTransaction, readSplitterStates, SPLITTER_FEE_BP } from '@callboard/evm'
import { isRefusal } from '@callboard/values'
import { readChain } from '../chain-reads.ts'
import type { ListingsHandler } from '../kit.ts'

export const splitters: ListingsHandler<typeof listings.splitters> = async ({ wallet }, ctx) => {
  const { chains, clients } = ctx.parts
  const states = await readChain(ctx, () => readSplitterStates(clients, chains, wallet))
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
