import { compileContracts } from '@callboard/solidity'
import type { Address, Hex } from '@callboard/values'
import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deploy, deployRail, mined, openChain, splitterAt, type TestChain, treasury } from './chain.ts'

/** Misbehaves in `transfer` as set: reenters the sender before moving money, or answers false without moving any. */
const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

contract HostileToken {
    mapping(address => uint256) public balanceOf;
    bool public reenters;
    bool public refuses;

    function mint(address to, uint256 value) external { balanceOf[to] += value; }
    function behave(bool reenters_, bool refuses_) external { (reenters, refuses) = (reenters_, refuses_); }

    function transfer(address to, uint256 value) external returns (bool) {
        if (refuses) return false;
        if (reenters) {
            (bool done,) = msg.sender.call(abi.encodeWithSignature("distribute(address)", address(this)));
            require(!done, "reentered");
        }
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }
}`

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function behave(bool reenters, bool refuses)',
  'function balanceOf(address owner) view returns (uint256)',
])

let anvil: Anvil
let chain: TestChain
let token: Address
let splitter: ReturnType<typeof splitterAt>
const wallet = account(3).address

beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
  const compiled = compileContracts({ 'HostileToken.sol': SOURCE })
  const hostile = compiled.find(({ name }) => name === 'HostileToken')
  if (!hostile) throw new Error('HostileToken did not compile')
  token = await deploy(chain, { abi: hostile.abi as Abi, bytecode: hostile.bytecode })
  const { factory } = await deployRail(chain)
  await mined(chain, factory.write.create([wallet]))
  splitter = splitterAt(chain, await factory.read.predict([wallet]))
})
afterAll(() => anvil.stop())

const call = (data: Hex) => mined(chain, chain.sendTransaction({ to: token, data }))
const mint = (value: bigint) => call(encodeFunctionData({ abi, functionName: 'mint', args: [splitter.address, value] }))
const behave = (reenters: boolean, refuses: boolean) =>
  call(encodeFunctionData({ abi, functionName: 'behave', args: [reenters, refuses] }))
const balance = (owner: Address) =>
  chain.readContract({ address: token, abi, functionName: 'balanceOf', args: [owner] })

describe('a token that misbehaves', () => {
  test('reentering distribute: is refused, and both sides get exactly their share', async () => {
    await behave(true, false)
    await mint(1000n)
    await mined(chain, splitter.write.distribute([token]))
    expect(await balance(treasury)).toBe(50n)
    expect(await balance(wallet)).toBe(950n)
  })

  test('answering false: counts as unpaid and is set aside', async () => {
    await behave(false, true)
    await mint(1000n)
    await mined(chain, splitter.write.distribute([token]))
    expect(await splitter.read.claimable([token])).toEqual([50n, 950n])
    await behave(false, false)
    await mined(chain, splitter.write.distribute([token]))
    expect(await balance(splitter.address)).toBe(0n)
  })

  test('without code: an error, and nothing is recorded', async () => {
    await expect(splitter.simulate.distribute([account(8).address])).rejects.toThrow()
  })
})
