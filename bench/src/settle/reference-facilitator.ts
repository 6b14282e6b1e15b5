import type { Address, Hex } from '@callboard/values'
import { x402Facilitator } from '@x402/core/facilitator'
import type { Network } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, defineChain, http, nonceManager, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

export interface ReferenceSettings {
  readonly rpcUrl: string
  readonly chainId: number
  readonly key: Hex
}

/** How often the reference polls for a receipt: viem's default is 4 s, too long on a fast chain. */
const POLLING_MS = 50

/**
 * The reference facilitator as in its own examples, with its users' remedy for nonce collisions: viem's nonce manager.
 * Concurrent requests are sent as one JSON-RPC batch, like ours.
 */
export function referenceFacilitator({ rpcUrl, chainId, key }: ReferenceSettings): x402Facilitator {
  const account = privateKeyToAccount(key, { nonceManager })
  const chain = defineChain({
    id: chainId,
    name: 'devnet',
    nativeCurrency: { name: 'ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl, { batch: true })
  const client = createWalletClient({ account, chain, transport, pollingInterval: POLLING_MS }).extend(publicActions)
  const signer = toFacilitatorEvmSigner({
    address: account.address as Address,
    getCode: (args) => client.getCode(args),
    readContract: (args) => client.readContract(args as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    writeContract: (args) => client.writeContract(args as never),
    sendTransaction: (args) => client.sendTransaction(args as never),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
  })
  return new x402Facilitator().register(`eip155:${chainId}` as Network, new ExactEvmScheme(signer))
}
