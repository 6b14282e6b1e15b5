import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { erc20Abi, MULTICALL3, predictSplitter, splitterFactoryAbi, splitterImplementation } from '@callboard/evm'
import { createPublicClient, http, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { rpc } from '../src/anvil-rpc.ts'
import { type Devnet, openDevnet } from '../src/devnet.ts'
import { deployContracts } from '../src/devnet-contracts.ts'
import { tempFolder, untilTestEnds } from './parent.ts'

const clientOf = ({ rpcUrl }: Devnet) => createPublicClient({ transport: http(rpcUrl) })

async function holdings(devnet: Devnet) {
  const client = clientOf(devnet)
  const usdc = { address: devnet.usdc.address, abi: erc20Abi } as const
  const balances = devnet.accounts.map((account) =>
    client.readContract({ ...usdc, functionName: 'balanceOf', args: [account] }),
  )
  const nonces = devnet.accounts.map((address) => client.getTransactionCount({ address }))
  return { balances: await Promise.all(balances), nonces: await Promise.all(nonces) }
}

const EACH = { balances: Array(10).fill(parseUnits('10000', 6)), nonces: Array(10).fill(0) }

describe('openDevnet', { timeout: 60_000 }, () => {
  test('default: contracts are where predicted, and ten fresh accounts hold 10,000 test USDC each', async () => {
    const devnet = await untilTestEnds(openDevnet())
    const [payout] = devnet.accounts
    if (!payout) throw new Error('anvil has no accounts')
    const factory = { address: devnet.splitterFactory, abi: splitterFactoryAbi } as const
    const client = clientOf(devnet)
    expect(await holdings(devnet)).toEqual(EACH)
    expect(await client.readContract({ ...factory, functionName: 'predict', args: [payout] })).toBe(
      predictSplitter(devnet.splitterFactory, payout),
    )
    expect(await client.getCode({ address: MULTICALL3 })).toBeDefined()
  })

  test('a second start deploys and mints nothing, and devnet.json has the addresses', async () => {
    const dataDir = tempFolder()
    const services = { baseUrl: 'http://127.0.0.1:8402', facilitatorUrl: 'http://127.0.0.1:8402/x402' }
    const first = await untilTestEnds(openDevnet({ dataDir, ...services }))
    const height = await clientOf(first).getBlockNumber()
    await first.stop()
    const second = await untilTestEnds(openDevnet({ dataDir, ...services }))
    expect(await clientOf(second).getBlockNumber()).toBe(height)
    expect(await holdings(second)).toEqual(EACH)
    const { rpcUrl, chainId, network, usdc, splitterFactory, stake, mnemonic } = second
    expect(JSON.parse(readFileSync(join(dataDir, 'devnet.json'), 'utf8'))).toMatchObject({
      ...{ rpcUrl, chainId, network, usdc, splitterFactory, stake, mnemonic },
      ...services,
    })
  })

  test('a set-up interrupted at any point resumes and ends the same', async () => {
    const devnet = await untilTestEnds(openDevnet())
    for (const share of [0, 0.5, 1]) {
      const height = Number(await clientOf(devnet).getBlockNumber({ cacheTime: 0 }))
      await rpc(devnet.rpcUrl, 'anvil_rollback', [Math.max(1, Math.floor(height * share))])
      expect((await deployContracts(devnet.rpcUrl)).usdc).toEqual(devnet.usdc)
      expect(await holdings(devnet)).toEqual(EACH)
    }
  })

  test('a reorganization leaves the contracts in place, however high the chain is', async () => {
    const devnet = await untilTestEnds(openDevnet())
    for (const blocks of [10, 1_000, 1_000]) {
      await rpc(devnet.rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`])
      await rpc(devnet.rpcUrl, 'anvil_reorg', [8, []])
      await rpc(devnet.rpcUrl, 'anvil_mine', ['0x80'])
      await rpc(devnet.rpcUrl, 'anvil_reorg', [100, []])
      expect(await holdings(devnet)).toEqual(EACH)
    }
  })

  test('behavior: a chain set up by an earlier version gets this version’s code and keeps its balances', async () => {
    const devnet = await untilTestEnds(openDevnet())
    const before = await holdings(devnet)
    const implementation = splitterImplementation(devnet.splitterFactory)
    const codes = () =>
      Promise.all(
        [devnet.usdc.address, implementation].map((address) => rpc(devnet.rpcUrl, 'eth_getCode', [address, 'latest'])),
      )
    const ours = await codes()
    await rpc(devnet.rpcUrl, 'anvil_setCode', [devnet.usdc.address, '0x60006000'])
    await rpc(devnet.rpcUrl, 'anvil_setCode', [implementation, '0x60006000'])
    await deployContracts(devnet.rpcUrl)
    expect(await codes()).toEqual(ours)
    expect(await holdings(devnet)).toEqual(before)
  })

  test('error: a chain that lacks one of our contracts is refused', async () => {
    const devnet = await untilTestEnds(openDevnet())
    await rpc(devnet.rpcUrl, 'anvil_setCode', [devnet.stake, '0x'])
    await expect(deployContracts(devnet.rpcUrl)).rejects.toThrow('The devnet holds other contracts')
  })

  test('behavior: with a block time of one second the set-up waits for its blocks', async () => {
    const devnet = await untilTestEnds(openDevnet({ blockTimeSeconds: 1 }))
    expect(await holdings(devnet)).toEqual(EACH)
  })
})
