import {
  authorize,
  facilitatorRequest,
  type Hex,
  type Requirement,
  reader,
  transfersFrom,
  usdcBalance,
} from '@callboard/conformance'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DevnetFile, Instance } from './instance.ts'
import { Doors } from './payments/doors.ts'

const instance = new Instance()
let devnet: DevnetFile
let doors: Doors
let asked: Requirement

/** Starts the instance. Its chain may come back on another port if a third party has taken the previous one. */
async function start(): Promise<void> {
  await instance.start()
  devnet = instance.devnet
  doors = await Doors.of(instance, devnet)
}

beforeAll(async () => {
  await start()
  asked = doors.asked
}, 120_000)
afterAll(() => instance.dispose())

describe('after kill -9 of the whole instance', () => {
  /** Transactions that wait in the node's pool. */
  async function inPool(): Promise<Hex[]> {
    const { transactions } = await reader(devnet).getBlock({ blockTag: 'pending' })
    return [...transactions]
  }

  test('between broadcast and receipt: one transfer, and the repeat gets the stored success', async () => {
    const payer = await doors.walletWith(1_000_000n)
    const payeeBefore = await usdcBalance(devnet, asked.payTo)
    const request = facilitatorRequest(asked, await authorize(payer, asked))
    await doors.node().setAutomine(false)
    const cut = doors.settle(request).catch((error: unknown) => error)
    const [hash] = await until('the settlement is in the pool', async () => {
      const waiting = await inPool()
      return waiting.length > 0 && waiting
    })
    await instance.end('SIGKILL')
    expect(await cut).toBeInstanceOf(TypeError)
    expect(await transfersFrom(devnet, payer.address)).toEqual([])

    await start()
    await doors.node().mine({ blocks: 1 })
    const settled = await until('the settlement is known', async () => {
      const { body } = await doors.settle(request)
      return body.success === true && body
    })
    expect(settled).toMatchObject({ transaction: hash, payer: payer.address, amount: asked.amount })
    expect((await doors.settle(request)).body).toEqual(settled)
    expect(await transfersFrom(devnet, payer.address)).toMatchObject([{ to: asked.payTo, transaction: hash }])
    expect(await usdcBalance(devnet, payer.address)).toBe(1_000_000n - BigInt(asked.amount))
    expect(await usdcBalance(devnet, asked.payTo)).toBe(payeeBefore + BigInt(asked.amount))
  }, 90_000)

  test('amid 20 settlements, some sent and some not: each is made once when repeated', async () => {
    const payer = await doors.walletWith(1_000_000n)
    const requests = await Promise.all(
      Array.from({ length: 20 }, async () => facilitatorRequest(asked, await authorize(payer, asked))),
    )
    await doors.node().setAutomine(false)
    const cut = Promise.allSettled(requests.map(doors.settle))
    await until('some are in the pool', async () => (await inPool()).length > 0)
    await instance.end('SIGKILL')
    expect(new Set((await cut).map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(await transfersFrom(devnet, payer.address)).toEqual([])
    await start()
    const answers = await Promise.all(
      requests.map((request) =>
        until('it is settled', async () => {
          const { body } = await doors.settle(request)
          return body.success === true && body
        }),
      ),
    )
    const moved = await transfersFrom(devnet, payer.address)
    expect(moved).toHaveLength(20)
    expect(moved.map(({ transaction }) => transaction).sort()).toEqual(
      answers.map(({ transaction }) => transaction as Hex).sort(),
    )
    expect(await usdcBalance(devnet, payer.address)).toBe(1_000_000n - 20n * BigInt(asked.amount))
  }, 90_000)
})
