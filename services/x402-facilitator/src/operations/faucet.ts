import type { x402Facilitator } from '@callboard/contract'
import { type ChainClient, chainOf, clientOf, erc20Abi, receiptOf } from '@callboard/evm'
import { type Address, baseUnits, evmNetwork, type Hex, refuse, SECOND_MS } from '@callboard/values'
import { encodeFunctionData } from 'viem'
import type { FacilitatorHandler } from '../context.ts'

/** Index of the node's account that gives: one that the examples and the demonstration do not use. */
const GIVER = 7
const TIMEOUT_MS = 10 * SECOND_MS

/**
 * Sends test USDC from an account whose key the local node holds and everyone knows. None of our keys signs, and other
 * chains have neither such an account nor this setting.
 */
export const faucet: FacilitatorHandler<typeof x402Facilitator.faucet> = async (input, { config, resources, log }) => {
  const { network, wallet, amountUsd } = input
  const { chains, clients } = resources
  if (!config.DEVNET || evmNetwork(config.DEVNET.chainId) !== network)
    return refuse('unsupported_network', { message: 'Only the local chain has a faucet.' })
  const { usdc } = chainOf(chains, network)
  const args = [wallet, baseUnits(amountUsd, usdc.decimals) ?? 0n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  try {
    const client = clientOf(clients, network)
    const transaction = await send(client, usdc.address, data)
    const { status } = await receiptOf(client, transaction, TIMEOUT_MS)
    if (status === 'success') return { transaction }
    log.warn({ network, transaction }, 'the faucet’s transfer reverted')
  } catch (error) {
    log.warn({ network, err: error }, 'the faucet gave nothing')
  }
  return refuse('temporarily_unavailable', {
    message: 'The faucet of the local chain is empty, or the chain’s node has no faucet.',
  })
}

/** viem's public client has no method for a transaction that the node itself signs. */
async function send(client: ChainClient, to: Address, data: Hex): Promise<Hex> {
  const ask = (method: string, params: readonly unknown[]) => client.request({ method, params } as never)
  const from = ((await ask('eth_accounts', [])) as unknown as Address[])[GIVER]
  if (!from) throw new Error('the node holds no account that could give')
  return (await ask('eth_sendTransaction', [{ from, to, data }])) as unknown as Hex
}
