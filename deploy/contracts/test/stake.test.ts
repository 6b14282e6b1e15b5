import { artifacts } from '@callboard/evm'
import { getContract, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deploy, mined, openChain, type TestChain } from './chain.ts'

const owner = account(1).address
const other = account(2).address
const UNIT = 10n ** 18n

async function deployStake(chain: TestChain) {
  const token = await deploy(chain, artifacts.testStakeToken)
  const stake = await deploy(chain, artifacts.testStake, [token])
  const ledger = await deploy(chain, artifacts.burnLedger, [token])
  return {
    token: getContract({ address: token, abi: artifacts.testStakeToken.abi, client: chain }),
    stake: getContract({ address: stake, abi: artifacts.testStake.abi, client: chain }),
    ledger: getContract({ address: ledger, abi: artifacts.burnLedger.abi, client: chain }),
  }
}

let anvil: Anvil
let chain: TestChain
let deployed: Awaited<ReturnType<typeof deployStake>>

beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
  deployed = await deployStake(chain)
  const { token, stake, ledger } = deployed
  await mined(chain, token.write.mint([owner, 100n * UNIT]))
  await mined(chain, token.write.approve([stake.address, 100n * UNIT], { account: owner }))
  await mined(chain, token.write.approve([ledger.address, 100n * UNIT], { account: owner }))
})
afterAll(() => anvil.stop())

describe('TestStake', () => {
  test('a stake is held, counted and returned to its owner alone', async () => {
    const { token, stake } = deployed
    const staked = await mined(chain, stake.write.stake([30n * UNIT], { account: owner }))
    const [event] = parseEventLogs({ abi: stake.abi, logs: staked.logs, eventName: 'Staked' })
    expect(event?.args).toEqual({ owner, amount: 30n * UNIT, stake: 30n * UNIT })
    await expect(stake.simulate.unstake([1n], { account: other })).rejects.toThrow('StakeTooSmall')
    const unstaked = await mined(chain, stake.write.unstake([10n * UNIT], { account: owner }))
    const [back] = parseEventLogs({ abi: stake.abi, logs: unstaked.logs, eventName: 'Unstaked' })
    expect(back?.args).toEqual({ owner, amount: 10n * UNIT, stake: 20n * UNIT })
    expect(await stake.read.stakeOf([owner])).toBe(20n * UNIT)
    expect(await stake.read.totalStaked()).toBe(await token.read.balanceOf([stake.address]))
  })

  test('ZeroAmount: an amount of zero cannot be staked or unstaked', async () => {
    await expect(deployed.stake.simulate.stake([0n], { account: owner })).rejects.toThrow('ZeroAmount')
    await expect(deployed.stake.simulate.unstake([0n], { account: owner })).rejects.toThrow('ZeroAmount')
  })
})

describe('BurnLedger', () => {
  test('burned tokens leave the supply and are recorded', async () => {
    const { token, ledger } = deployed
    const before = await token.read.totalSupply()
    const receipt = await mined(chain, ledger.write.burn([5n * UNIT], { account: owner }))
    const [event] = parseEventLogs({ abi: ledger.abi, logs: receipt.logs, eventName: 'Burned' })
    expect(event?.args).toEqual({ from: owner, amount: 5n * UNIT, totalBurned: 5n * UNIT })
    expect(await token.read.totalSupply()).toBe(before - 5n * UNIT)
    expect(await token.read.balanceOf([ledger.address])).toBe(0n)
  })

  test('ZeroAmount: an amount of zero cannot be burned', async () => {
    await expect(deployed.ledger.simulate.burn([0n], { account: owner })).rejects.toThrow('ZeroAmount')
  })
})
