import { erc20Abi } from '@callboard/evm'
import type { Address } from '@callboard/values'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import type { Instance } from '../../../services/all/test/instance.ts'
import { BEAT_MS } from '../settle/world.ts'

/** The instance's chain: money for agents, gas for the peers, and payees' balances. */
export function chainOf({ rpcUrl, usdc }: Instance['devnet']) {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  return {
    async give(to: Address, value: bigint) {
      const [bank] = await node.getAddresses()
      if (!bank) throw new Error('anvil has no accounts')
      const transfer = { address: usdc.address, abi: erc20Abi, functionName: 'transfer', args: [to, value] } as const
      await node.writeContract({ account: bank, chain: null, gas: 200_000n, ...transfer })
    },
    /** Makes empty blocks continuously. @returns a function that ends it */
    beat() {
      const beat = setInterval(() => void node.mine({ blocks: 1 }).catch(() => {}), BEAT_MS)
      return () => clearInterval(beat)
    },
    giveGas: (address: Address) => node.setBalance({ address, value: 10n ** 21n }),
    balanceOf: (account: Address) =>
      node.readContract({ address: usdc.address, abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
  }
}
