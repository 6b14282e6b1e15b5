import { randomBytes } from 'node:crypto'
import { type Devnet, openDevnet } from '@callboard/embedded'
import { artifacts, eip3009Abi, erc20Abi, MULTICALL3, multicall3Abi, viemChain } from '@callboard/evm'
import { until, wallet } from '@callboard/testkit'
import { EIP3009_TYPES } from '@callboard/testkit/eip3009-types'
import { type Address, type Hex, MINUTE_MS } from '@callboard/values'
import { createPublicClient, createWalletClient, encodeFunctionData, http } from 'viem'

export interface Authorized {
  readonly nonce: Hex
  readonly payer: Address
  readonly payTo: Address
  readonly value: bigint
  /** The whole call to the token that settles it. */
  readonly data: Hex
}

/** The chain id of Base: a local chain with a public id may have further endpoints in `RPC_URLS`. */
const BASE = 8453

/** The accounts of the devnet, each derived once: that takes longer than everything else in a payment. */
const accounts = Array.from({ length: 10 }, (_, index) => wallet(index))

export const account = (index: number) => {
  const found = accounts[index]
  if (!found) throw new Error(`There is no account ${index}`)
  return found
}

/** The default sender. */
const SENDER = 9

/** A transaction for a reorganisation's branch. */
interface Calling {
  readonly from?: Address
  readonly to?: Address
  readonly data: Hex
}

/** A real chain and the means to pay on it. */
export type TestChain = Awaited<ReturnType<typeof openTestChain>>

export async function openTestChain() {
  const devnet: Devnet = await openDevnet({ chainId: BASE })
  const { rpcUrl, usdc, chainId } = devnet
  const sender = account(SENDER)
  const chain = viemChain({ ...devnet, name: 'Test' } as never, [rpcUrl])
  const client = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 20, cacheTime: 0 })
  const sending = createWalletClient({ chain, transport: http(rpcUrl) })
  const domain = { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address } as const

  async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
    return client.request({ method, params } as never)
  }

  async function authorize(
    payerIndex: number,
    value: bigint,
    payTo: Address = account(8).address,
  ): Promise<Authorized> {
    const payer = account(payerIndex)
    const nonce: Hex = `0x${randomBytes(32).toString('hex')}`
    const validBefore = BigInt(Math.floor((Date.now() + 600 * MINUTE_MS) / 1000))
    const message = { from: payer.address, to: payTo, value, validAfter: 0n, validBefore, nonce }
    const signature = await payer.signTypedData({
      domain,
      types: EIP3009_TYPES,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    const args = [payer.address, payTo, value, 0n, validBefore, nonce, signature] as const
    const data = encodeFunctionData({ abi: eip3009Abi, functionName: 'transferWithAuthorization', args })
    return { nonce, payer: payer.address, payTo, value, data }
  }

  /** viem's own wait checks once per block, and a node that mines on demand may mine no further block. */
  const receiptOf = async (hash: Hex) =>
    (await rpc('eth_getTransactionReceipt', hash)) as { readonly status: string } | null

  /** Sends a call and waits for its block; a revert is a mistake in the test. */
  async function send(data: Hex, to: Address = usdc.address, gas = 200_000n, from = SENDER): Promise<Hex> {
    const hash = await sending.sendTransaction({ account: account(from), to, data, gas })
    const receipt = await until(`${hash} is in a block`, async () => (await receiptOf(hash)) ?? false)
    if (receipt.status !== '0x1') throw new Error(`The chain reverted ${hash}`)
    return hash
  }

  return {
    devnet,
    sender: sender.address,
    rpc,
    authorize,
    send,
    height: async () => Number(await client.getBlockNumber()),
    mine: (blocks: number) => rpc('anvil_mine', `0x${blocks.toString(16)}`),
    automine: (on: boolean) => rpc('evm_setAutomine', on),
    timeOf: async (height: number) => (await client.getBlock({ blockNumber: BigInt(height) })).timestamp,

    /** Pays once, in its own transaction. */
    async settle(payerIndex: number, value: bigint): Promise<Authorized & { readonly txHash: Hex }> {
      const authorized = await authorize(payerIndex, value)
      return { ...authorized, txHash: await send(authorized.data) }
    },

    /** Pays many times in one transaction, as a batching facilitator does. */
    async settleBatch(all: readonly Authorized[]): Promise<Hex> {
      const calls = all.map(({ data }) => ({ target: usdc.address, allowFailure: false, callData: data }))
      const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
      return send(data, MULTICALL3, 100_000n + 50_000n * BigInt(all.length))
    },

    transfer: (to: Address, value: bigint) =>
      send(encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })),

    async cancel(authorizerIndex: number): Promise<Hex> {
      const authorizer = account(authorizerIndex)
      const nonce: Hex = `0x${randomBytes(32).toString('hex')}`
      const message = { authorizer: authorizer.address, nonce }
      const signature = await authorizer.signTypedData({
        domain,
        types: EIP3009_TYPES,
        primaryType: 'CancelAuthorization',
        message,
      })
      const args = [authorizer.address, nonce, signature] as const
      return send(encodeFunctionData({ abi: eip3009Abi, functionName: 'cancelAuthorization', args }))
    },

    /** Replaces the last `depth` blocks; the calls go into the first new one. */
    async reorg(depth: number, calls: readonly Calling[] = []): Promise<void> {
      const toCall = ({ from = sender.address, to = usdc.address, data }: Calling) => ({
        from,
        to,
        data,
        gas: '0x30d40',
      })
      const marker = { from: account(7).address, to: account(7).address, value: '0x1', gas: '0x5208' }
      await rpc('anvil_reorg', depth, [[marker, 0], ...calls.map((one) => [toCall(one), 0])])
    },

    /** What an independent reader, viem with the token's ABI, finds on the chain from a height on, by authorization. */
    async truth(fromBlock: number): Promise<string[]> {
      const found = await client.getContractEvents({
        address: usdc.address,
        abi: artifacts.testUSDC.abi,
        eventName: 'AuthorizationUsed',
        fromBlock: BigInt(fromBlock),
      })
      return found.map(({ args, transactionHash, blockHash }) => `${args.nonce} ${transactionHash} ${blockHash}`).sort()
    },
  }
}
