import { artifacts } from '@callboard/evm'
import { type Address, ZERO_ADDRESS } from '@callboard/values'
import fc from 'fast-check'
import { getAddress, pad, parseEventLogs, toFunctionSignature, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deploy, deployRail, mined, openChain, splitterAt, type TestChain, treasury } from './chain.ts'

let anvil: Anvil
let chain: TestChain
let rail: Awaited<ReturnType<typeof deployRail>>
let splitter: ReturnType<typeof splitterAt>
let wallet: Address
let wallets = 0

beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
  rail = await deployRail(chain)
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  wallet = getAddress(pad(toHex(0xfee_0000 + wallets++), { size: 20 }))
  await mined(chain, rail.factory.write.create([wallet]))
  splitter = splitterAt(chain, await rail.factory.read.predict([wallet]))
})

const held = (owner: Address) => rail.usdc.read.balanceOf([owner])
const fund = (amount: bigint) => mined(chain, rail.usdc.write.mint([splitter.address, amount]))

/** Distributes from a third party's account and returns each side's share, by balance and by event. */
async function distributed() {
  const before = { treasury: await held(treasury), wallet: await held(wallet) }
  const { logs } = await mined(chain, splitter.write.distribute({ account: account(7).address }))
  const [event] = parseEventLogs({ abi: splitter.abi, logs, eventName: 'Distributed' })
  return {
    fee: (await held(treasury)) - before.treasury,
    payout: (await held(wallet)) - before.wallet,
    left: await held(splitter.address),
    event: event && { fee: event.args.fee, payout: event.args.payout },
  }
}

describe('distribute', () => {
  test('1,000,001 base units: 50,000 to the network, 950,001 to the provider, nothing left', async () => {
    await fund(1_000_001n)
    const event = { fee: 50_000n, payout: 950_001n }
    expect(await distributed()).toEqual({ ...event, left: 0n, event })
  })

  test('any amount: the fee is 5 % rounded down, the provider gets the rest, nothing is left', async () => {
    const amount = fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, 10n ** 18n))
    await fc.assert(
      fc.asyncProperty(amount, async (value) => {
        await fund(value)
        const { fee, payout, left } = await distributed()
        expect({ fee, payout, left }).toEqual({ fee: value / 20n, payout: value - value / 20n, left: 0n })
      }),
      { numRuns: 25 },
    )
  }, 30_000)

  test('an empty splitter: success without an event', async () => {
    expect(await distributed()).toEqual({ fee: 0n, payout: 0n, left: 0n, event: undefined })
  })

  test('gas: cheap enough to run after every payment', async () => {
    await fund(1_000_000n)
    await distributed()
    await fund(1_000_000n)
    const { gasUsed } = await mined(chain, splitter.write.distribute())
    expect(gasUsed).toBeLessThan(75_000n)
  })

  test('another token: divided in the same way', async () => {
    const { usdc: other } = await deployRail(chain)
    await mined(chain, other.write.mint([splitter.address, 200n]))
    await mined(chain, splitter.write.distribute([other.address]))
    expect(await other.read.balanceOf([wallet])).toBe(190n)
    expect(await other.read.balanceOf([treasury])).toBe(10n)
  })
})

describe('the payee', () => {
  test('cannot be changed: no function of the contract takes one', () => {
    const writing = artifacts.feeSplitter.abi.filter(
      (item) => item.type === 'function' && item.stateMutability !== 'view',
    )
    expect(writing.map((item) => item.type === 'function' && toFunctionSignature(item))).toEqual([
      'distribute(address)',
      'distribute()',
    ])
  })

  test('is the wallet the splitter was made for; token, treasury and fee are the factory’s', async () => {
    expect(await splitter.read.payoutWallet()).toBe(wallet)
    expect(await splitter.read.usdc()).toBe(rail.usdc.address)
    expect(await splitter.read.treasury()).toBe(treasury)
    expect(await splitter.read.feeBp()).toBe(500)
  })

  test('is unset in the implementation, which refuses to distribute', async () => {
    const implementation = splitterAt(chain, await rail.factory.read.implementation())
    await mined(chain, rail.usdc.write.mint([implementation.address, 100n]))
    await expect(implementation.simulate.distribute()).rejects.toThrow('NotAClone')
  })
})

describe('a leg that cannot be paid', () => {
  const block = (who: Address) => mined(chain, rail.usdc.write.blacklist([who]))
  const unblock = (who: Address) => mined(chain, rail.usdc.write.unBlacklist([who]))

  test('payout: the fee is still paid, and the payout stays reserved for its wallet', async () => {
    await block(wallet)
    await fund(1000n)
    expect(await distributed()).toMatchObject({ fee: 50n, payout: 0n, left: 950n, event: { fee: 50n, payout: 0n } })
    await fund(200n)
    expect(await distributed()).toMatchObject({ fee: 10n, payout: 0n, left: 1140n })
    expect(await splitter.read.claimable([rail.usdc.address])).toEqual([0n, 1140n])
    await unblock(wallet)
    await fund(100n)
    expect(await distributed()).toMatchObject({ fee: 5n, payout: 1235n, left: 0n })
    expect(await splitter.read.claimable([rail.usdc.address])).toEqual([0n, 0n])
  })

  test('payout: an event reports the amount set aside', async () => {
    await block(wallet)
    await fund(1000n)
    const { logs } = await mined(chain, splitter.write.distribute())
    const [event] = parseEventLogs({ abi: splitter.abi, logs, eventName: 'SetAside' })
    expect(event?.args).toEqual({ token: rail.usdc.address, to: wallet, amount: 950n })
  })

  test('fee: the payout is still paid, and the fee never goes to the provider', async () => {
    await block(treasury)
    await fund(1000n)
    expect(await distributed()).toMatchObject({ fee: 0n, payout: 950n, left: 50n })
    expect(await distributed()).toMatchObject({ fee: 0n, payout: 0n, left: 50n })
    await unblock(treasury)
    expect(await distributed()).toMatchObject({ fee: 50n, payout: 0n, left: 0n })
  })

  test('both: everything stays, in the same shares, until the splitter can pay', async () => {
    await block(splitter.address)
    await mined(chain, rail.usdc.write.mint([splitter.address, 1000n]))
    expect(await distributed()).toMatchObject({ fee: 0n, payout: 0n, left: 1000n })
    expect(await splitter.read.claimable([rail.usdc.address])).toEqual([50n, 950n])
    await unblock(splitter.address)
    expect(await distributed()).toMatchObject({ fee: 50n, payout: 950n, left: 0n })
  })

  test('any sequence of payments and blocks: each side gets its share of every payment, to the unit', async () => {
    const step = fc.record({
      amount: fc.bigInt(0n, 10n ** 7n),
      blocked: fc.constantFrom('neither', 'wallet', 'treasury'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
        const before = { treasury: await held(treasury), wallet: await held(wallet) }
        for (const { amount, blocked } of steps) {
          if (blocked !== 'neither') await block(blocked === 'wallet' ? wallet : treasury)
          await fund(amount)
          await distributed()
          if (blocked !== 'neither') await unblock(blocked === 'wallet' ? wallet : treasury)
        }
        await distributed()
        const fees = steps.reduce((sum, { amount }) => sum + amount / 20n, 0n)
        const total = steps.reduce((sum, { amount }) => sum + amount, 0n)
        expect((await held(treasury)) - before.treasury).toBe(fees)
        expect((await held(wallet)) - before.wallet).toBe(total - fees)
        expect(await held(splitter.address)).toBe(0n)
      }),
      { numRuns: 4 },
    )
  }, 30_000)
})

describe('an implementation', () => {
  const args = (usdc: Address, feeBp: number, to = treasury) => [usdc, to, feeBp] as const
  const made = (...given: Parameters<typeof args>) => deploy(chain, artifacts.feeSplitter, args(...given))

  test('accepts a fee of up to 10 % and a token that has code', async () => {
    for (const feeBp of [0, 500, 1_000]) await made(rail.usdc.address, feeBp)
  })

  test.each([
    ['InvalidFee', 'a fee above 10 %', () => made(rail.usdc.address, 1_001)],
    ['InvalidToken', 'a token without code', () => made(account(3).address, 500)],
    ['InvalidTreasury', 'no treasury', () => made(rail.usdc.address, 500, ZERO_ADDRESS)],
  ])('reverts with %s for %s, and so does a factory', async (_error, _what, make) => {
    await expect(make()).rejects.toThrow()
    await expect(deploy(chain, artifacts.splitterFactory, args(account(3).address, 500))).rejects.toThrow()
    await expect(deploy(chain, artifacts.splitterFactory, args(rail.usdc.address, 1_001))).rejects.toThrow()
  })
})
