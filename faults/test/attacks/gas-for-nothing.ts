import {
  authorize,
  facilitatorRequest,
  fund,
  type Hex,
  type LocalAccount,
  newAccount,
  type Requirement,
  reader,
  requirementOf,
  transfersFrom,
  usdcBalance,
  writer,
} from '@callboard/conformance'
import { until } from '@callboard/testkit'
import { type Account, encodeFunctionData, getAddress, parseAbi, parseGwei } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Arena } from './arena.ts'

/** A tenth of the default budget of a real chain: new payers may waste 3.5 M gas an hour, those with code 0.7 M. */
export const SMALL_BUDGET = { GAS_PER_HOUR: '100000000', GAS_PER_DAY: '1000000000', GAS_SHARES: '{}' }
const NEW_CONTRACTS_MAY_WASTE = 700_000n
/** What a payer may have in flight or wasted before it has settled anything, each with a transfer's maximum gas. */
const ONE_PAYER_MAY_WASTE = 5n * 200_000n

const TRANSFER = parseAbi(['function transfer(address to, uint256 value) returns (bool)'])
/** Answers every EIP-1271 query with the magic value. */
const SAYS_YES = `0x7f1626ba7e${'00'.repeat(28)}60005260206000f3` as const
/** Burns all gas that it is given. */
const BURNS = '0xfe'

/** What payers that pay nothing can make us spend. */
export const gasForNothing = (arena: () => Arena) =>
  describe('17: gas for nothing', () => {
    const doors = () => arena().doors
    const devnet = () => doors().devnet
    const node = () => doors().node()

    async function signers(): Promise<readonly Hex[]> {
      const answer = await fetch(`${doors().baseUrl}/x402/supported`)
      const { signers } = (await answer.json()) as { signers: Record<string, Hex[]> }
      return Object.values(signers)
        .flat()
        .map((signer) => getAddress(signer))
    }

    /** Gas that our signing accounts have used in blocks after this one, according to the chain. */
    async function gasSince(block: bigint): Promise<bigint> {
      const ours = await signers()
      const chain = reader(devnet())
      const last = await chain.getBlockNumber()
      let used = 0n
      for (let blockNumber = block + 1n; blockNumber <= last; blockNumber += 1n) {
        const { transactions } = await chain.getBlock({ blockNumber, includeTransactions: true })
        for (const { hash, from } of transactions) {
          if (ours.includes(getAddress(from))) used += (await chain.getTransactionReceipt({ hash })).gasUsed
        }
      }
      return used
    }

    const height = () => reader(devnet()).getBlockNumber()
    const asked = (amount: bigint, payTo: Hex = doors().asked.payTo): Requirement =>
      requirementOf(devnet(), payTo, amount.toString())
    const settle = async (payer: LocalAccount, terms: Requirement) =>
      (await doors().settle(facilitatorRequest(terms, await authorize(payer, terms)))).body

    /** Runs payments while no block is made automatically: once one is in the pool, its payer invalidates it. */
    async function spoiling(pay: () => Promise<unknown>[], spoil: () => Promise<unknown>): Promise<void> {
      await node().setAutomine(false)
      let isOver = false
      const paying = Promise.all(pay()).finally(() => {
        isOver = true
      })
      try {
        await until('one is in the pool, or none will be', async () => {
          return isOver || (await node().getTxpoolStatus()).pending > 0
        })
        await spoil()
        const mined = async () => {
          await node().mine({ blocks: 1 })
          return isOver
        }
        await until('all have their answers', mined, 60_000)
        await paying
      } finally {
        await node().setAutomine(true)
      }
    }

    test('payments of 0, to oneself and to our signers are refused by code, and nothing is sent', async () => {
      const before = await height()
      const [signer] = await signers()
      const wallets = Array.from({ length: 20 }, newAccount)
      const rich = await doors().walletWith(1_000_000n)
      const since = await height()
      const answers = await Promise.all([
        ...wallets.map((wallet) => settle(wallet, asked(0n, wallet.address))),
        ...wallets.map((wallet) => settle(wallet, asked(0n))),
        settle(rich, asked(1_000n, rich.address)),
        settle(rich, asked(1_000n, signer)),
      ])
      for (const answer of answers) {
        expect(answer).toMatchObject({ success: false, transaction: '', errorReason: expect.stringMatching(/^\w+$/) })
        expect(answer.errorMessage).toEqual(expect.stringMatching(/^(amount|authorization\.to|payTo): /))
      }
      expect(since).toBeGreaterThan(before)
      expect(await gasSince(since)).toBe(0n)
      expect(await transfersFrom(devnet(), rich.address)).toEqual([])
    })

    test('one payer makes 300 payments at once while its money leaves: only a handful is sent', async () => {
      const payer = await doors().walletWith(10_000n)
      await node().setBalance({ address: payer.address, value: 10n ** 18n })
      const before = await height()
      const args = [newAccount().address, 10_000n] as const
      await spoiling(
        () => Array.from({ length: 300 }, () => settle(payer, asked(33n))),
        () =>
          writer(devnet(), payer as Account).sendTransaction({
            to: devnet().usdc.address,
            data: encodeFunctionData({ abi: TRANSFER, functionName: 'transfer', args }),
            gas: 100_000n,
            maxFeePerGas: parseGwei('100'),
            maxPriorityFeePerGas: parseGwei('100'),
          }),
      )
      expect(await gasSince(before)).toBeLessThanOrEqual(ONE_PAYER_MAY_WASTE)
    }, 120_000)

    test('fresh contract wallets that burn their gas: the loss is bounded, and an honest payer is served', async () => {
      const before = await height()
      for (let round = 0; round < 5; round += 1) {
        const wallets = Array.from({ length: 8 }, newAccount)
        for (const { address } of wallets) {
          await node().setCode({ address, bytecode: SAYS_YES })
          await fund(devnet(), address, { usdc: 10_000n })
        }
        await spoiling(
          () => wallets.map((wallet) => settle(wallet, asked(1_000n, newAccount().address))),
          () => Promise.all(wallets.map(({ address }) => node().setCode({ address, bytecode: BURNS }))),
        )
      }
      const burned = await gasSince(before)
      expect(burned).toBeGreaterThan(0n)
      expect(burned).toBeLessThanOrEqual(NEW_CONTRACTS_MAY_WASTE)

      const honest = await doors().walletWith(1_000_000n)
      expect(await settle(honest, asked(1_000n, newAccount().address))).toMatchObject({ success: true })
      expect(await usdcBalance(devnet(), honest.address)).toBe(999_000n)
    }, 180_000)
  })
