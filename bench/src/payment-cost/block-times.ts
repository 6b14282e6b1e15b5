import type { Devnet } from '@callboard/embedded'
import { erc20Abi } from '@callboard/evm'
import { createTestClient, encodeFunctionData, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { newAddress } from '../settle/world.ts'

/** From sending a signed transfer of nothing to the node until its receipt, in milliseconds. */
export type BlockTimes = readonly number[]

const TRANSFERS = 40
const GAS = 100_000n
const MAX_FEE_PER_GAS = 3_000_000_000n

/** The chain's own time for a transaction, by `eth_sendRawTransactionSync`: settlements cannot be faster. */
export async function blockTimes({ rpcUrl, chainId, usdc }: Devnet): Promise<BlockTimes> {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 })
  const account = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: account.address, value: 10n ** 21n })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [newAddress(), 0n] })
  const times: number[] = []
  for (let nonce = 0; nonce < TRANSFERS; nonce++) {
    const signed = await account.signTransaction({
      ...{ type: 'eip1559', chainId, to: usdc.address, data, nonce },
      ...{ gas: GAS, maxFeePerGas: MAX_FEE_PER_GAS, maxPriorityFeePerGas: 0n },
    })
    const start = performance.now()
    const receipt = await node.request<{ ReturnType: { status: string } }>({
      method: 'eth_sendRawTransactionSync' as never,
      params: [signed] as never,
    })
    times.push(performance.now() - start)
    if (receipt.status !== '0x1') throw new Error('the chain did not take a transfer')
  }
  return times
}
