import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { artifacts, predictSplitter, splitterFactoryFault } from '@callboard/evm'
import { deploymentOf } from '@callboard/solidity'
import { temporaryFolder } from '@callboard/testkit/folder'
import { type Address, type Hex, ZERO_ADDRESS } from '@callboard/values'
import solc from 'solc'
import { pad, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deploy, mined, openChain, type TestChain, tokenAt, treasury } from './chain.ts'

const run = promisify(execFile)
const SCRIPT = join(import.meta.dirname, '../src/deploy.ts')
const key = toHex(account(0).getHdKey().privateKey ?? new Uint8Array())

/** Two chains whose USDC has different addresses. */
const tokens: { chainId: number; usdc: Address }[] = []
const opened: { chain: TestChain; anvil: Anvil }[] = []

beforeAll(async () => {
  for (const [index, chainId] of [31_337, 31_338].entries()) {
    const { chain, anvil } = await openChain({ chainId })
    opened.push({ chain, anvil })
    for (let other = 0; other < index; other++) await deploy(chain, artifacts.testStakeToken)
    tokens.push({ chainId, usdc: await deploy(chain, artifacts.testUSDC) })
  }
})
afterAll(() => Promise.all(opened.map(({ anvil }) => anvil.stop())))

const deployTo = (rpc: string, more: readonly string[] = []) =>
  run(process.execPath, [SCRIPT, '--treasury', treasury, '--tokens', JSON.stringify(tokens), '--rpc', rpc, ...more], {
    env: { ...process.env, DEPLOYER_KEY: key },
  })
const plan = () => ({ treasury, feeBp: 500, tokens })

describe('npm run contracts:deploy', { timeout: 60_000 }, () => {
  test('two chains with different USDC get equal addresses, each with its own token, verified byte for byte', async () => {
    const [one, two] = opened
    if (!one || !two) throw new Error('there are no chains')
    expect(tokens[0]?.usdc).not.toBe(tokens[1]?.usdc)
    const said = [await deployTo(one.anvil.url), await deployTo(two.anvil.url)].map(({ stdout }) => stdout)
    const { splitterFactory, settlementBatch } = deploymentOf(plan())
    for (const [index, { chain }] of [one, two].entries()) {
      expect(said[index]).toContain(`SPLITTER_FACTORIES={"eip155:${tokens[index]?.chainId}":"${splitterFactory}"}`)
      const usdc = { address: tokens[index]?.usdc ?? ZERO_ADDRESS }
      expect(await splitterFactoryFault(chain, { splitterFactory, splitterTreasury: treasury, usdc })).toBeUndefined()
      expect(await chain.getCode({ address: settlementBatch })).toBe(artifacts.settlementBatch.deployedBytecode)
    }
  })

  test('a wallet has the same splitter address on both chains, and money sent before deployment is divided', async () => {
    const { splitterFactory } = deploymentOf(plan())
    const wallet = account(3).address
    const splitter = predictSplitter(splitterFactory, wallet)
    for (const [index, { chain }] of opened.entries()) {
      const usdc = tokenAt(chain, tokens[index]?.usdc ?? ZERO_ADDRESS)
      await mined(chain, usdc.write.mint([splitter, 200n]))
      const { abi } = artifacts.splitterFactory
      await mined(
        chain,
        chain.writeContract({ address: splitterFactory, abi, functionName: 'createAndDistribute', args: [wallet] }),
      )
      expect(await usdc.read.balanceOf([wallet])).toBe(190n)
    }
  })

  test('a repeated deployment sends nothing, and says so', async () => {
    const { stdout } = await deployTo(opened[0]?.anvil.url ?? '')
    expect(stdout).toContain('SplitterDeployment is at')
    expect(stdout).not.toContain('is deployed at')
  })

  test('a chain that the table lacks, or that lacks its token, is refused before anything is sent', async () => {
    const { anvil } = await openChain({ chainId: 31_339 })
    await expect(deployTo(anvil.url)).rejects.toThrow('chain 31339 is not in the table of tokens')
    const bare = JSON.stringify([{ chainId: 31_339, usdc: account(8).address }])
    await expect(deployTo(anvil.url, ['--tokens', bare])).rejects.toThrow('chain 31339 has no token')
    await anvil.stop()
  })

  test('the output for block explorers compiles to the code on chain', async () => {
    const folder = temporaryFolder('callboard-verification-')
    await deployTo(opened[0]?.anvil.url ?? '', ['--verification', folder])
    const input = JSON.parse(readFileSync(join(folder, 'standard-input.json'), 'utf8'))
    input.settings.outputSelection = { '*': { '*': ['evm.bytecode.object'] } }
    const output = JSON.parse(solc.compile(JSON.stringify(input)))
    const listed = JSON.parse(readFileSync(join(folder, 'contracts.json'), 'utf8')) as {
      contract: string
      constructorArguments: Hex
    }[]
    const { creations } = deploymentOf(plan())
    for (const [index, { contract, constructorArguments }] of listed.entries()) {
      const [file = '', name = ''] = contract.split(':')
      const code = `${output.contracts[file][name].evm.bytecode.object}${constructorArguments.slice(2)}`
      expect(creations[index]?.transaction.data).toBe(`${pad('0x', { size: 32 })}${code}`)
    }
  }, 120_000)
})
