import { artifacts, chainOf, chainSet } from '@callboard/evm'
import type { Hex } from '@callboard/values'
import { pad } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deployer, mined, openChain, type TestChain, tokenAt } from './chain.ts'

const base = chainOf(chainSet({ networks: ['eip155:8453'] }), 'eip155:8453')
const MINTER_SLOT: Hex = pad('0x00', { size: 32 })

let anvil: Anvil
let chain: TestChain
let usdc: ReturnType<typeof tokenAt>

beforeAll(async () => {
  const opened = await openChain({ chainId: base.chainId })
  anvil = opened.anvil
  chain = opened.chain
  await chain.setCode({ address: base.usdc.address, bytecode: artifacts.testUSDC.deployedBytecode })
  await chain.setStorageAt({ address: base.usdc.address, index: MINTER_SLOT, value: pad(deployer, { size: 32 }) })
  usdc = tokenAt(chain, base.usdc.address)
  await mined(chain, usdc.write.setName([base.usdc.name]))
})
afterAll(() => anvil.stop())

describe('placed by anvil_setCode at the address of USDC on Base', () => {
  test('has the domain separator of the real USDC', async () => {
    expect(await usdc.read.DOMAIN_SEPARATOR()).toBe(
      '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
    )
  })

  test('accepts a published authorization that was signed for the real USDC', async () => {
    const { address: from } = account(1)
    const to = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
    await mined(chain, usdc.write.mint([from, 10_000n]))
    const nonce = '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480'
    const signature =
      '0x2f2ea3d6deff7759326577afaa7dedcf11c0a54ad1efebaebcd7b6444d24c3f718e23b47c1b1595ce8b9ac762c08089ec20c7117e18d9f2ba8e0947c546e8aed1b'
    await mined(chain, usdc.write.transferWithAuthorization([from, to, 10_000n, 0n, 1_900_000_000n, nonce, signature]))
    expect(await usdc.read.balanceOf([to])).toBe(10_000n)
  })

  test('returns name, version and decimals as in the chain table', async () => {
    const { name, version, decimals } = base.usdc
    const said = [usdc.read.name(), usdc.read.version(), usdc.read.decimals(), usdc.read.symbol()] as const
    expect(await Promise.all(said)).toEqual([name, version, decimals, 'USDC'])
  })

  test('has the type hashes of EIP-3009', async () => {
    const hashes = [
      usdc.read.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(),
      usdc.read.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
      usdc.read.CANCEL_AUTHORIZATION_TYPEHASH(),
    ]
    expect(await Promise.all(hashes)).toEqual([
      '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267',
      '0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8',
      '0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429',
    ])
  })
})

describe('ERC-20', () => {
  const owner = account(2).address
  const spender = account(3).address

  test('an allowance is used up by transfers and never exceeded', async () => {
    await mined(chain, usdc.write.mint([owner, 100n]))
    await mined(chain, usdc.write.approve([spender, 60n], { account: owner }))
    await mined(chain, usdc.write.transferFrom([owner, spender, 40n], { account: spender }))
    expect(await usdc.read.allowance([owner, spender])).toBe(20n)
    await expect(usdc.simulate.transferFrom([owner, spender, 21n], { account: spender })).rejects.toThrow(
      'ERC20: transfer amount exceeds allowance',
    )
  })

  test('only the minter mints, renames and blocks', async () => {
    for (const refused of [
      usdc.simulate.mint([owner, 1n], { account: owner }),
      usdc.simulate.setName(['x'], { account: owner }),
      usdc.simulate.blacklist([owner], { account: owner }),
    ])
      await expect(refused).rejects.toThrow('ERC20: caller is not the minter')
  })

  test('a blocked account neither sends nor receives', async () => {
    await mined(chain, usdc.write.blacklist([owner]))
    const blocked = 'Blacklistable: account is blacklisted'
    await expect(usdc.simulate.transfer([spender, 1n], { account: owner })).rejects.toThrow(blocked)
    await expect(usdc.simulate.transfer([owner, 1n], { account: spender })).rejects.toThrow(blocked)
  })
})

describe('like USDC', () => {
  const { abi } = artifacts.testUSDC
  const pay = (to: `0x${string}`) =>
    chain.simulateContract({
      account: account(5).address,
      address: base.usdc.address,
      abi,
      functionName: 'transfer',
      args: [to, 1n],
    })

  test('refuses itself as payee: it is on its own blocklist', async () => {
    await mined(chain, usdc.write.mint([account(5).address, 10n]))
    expect(await usdc.read.isBlacklisted([base.usdc.address])).toBe(true)
    await expect(pay(base.usdc.address)).rejects.toThrow('Blacklistable: account is blacklisted')
  })

  test('moves and approves nothing while paused; only the minter pauses it', async () => {
    await expect(usdc.simulate.pause({ account: account(5).address })).rejects.toThrow('caller is not the minter')
    await mined(chain, usdc.write.pause())
    expect(await usdc.read.paused()).toBe(true)
    await expect(pay(account(6).address)).rejects.toThrow('Pausable: paused')
    const approving = usdc.simulate.approve([account(6).address, 1n], { account: account(5).address })
    await expect(approving).rejects.toThrow('Pausable: paused')
    const authorizing = usdc.simulate.transferWithAuthorization([
      ...([account(5).address, account(6).address, 1n, 0n, 10n ** 11n] as const),
      ...([pad('0x77', { size: 32 }), `0x${'11'.repeat(65)}`] as const),
    ])
    await expect(authorizing).rejects.toThrow('Pausable: paused')
    await mined(chain, usdc.write.unpause())
    await pay(account(6).address)
  })
})
