import { x402Facilitator as operations } from '@callboard/contract'
import { artifacts } from '@callboard/evm'
import { type TestServices, until, wallet } from '@callboard/testkit'
import { rpcProxy } from '@callboard/testkit/servers'
import { type Address, type Hex, isRefusal } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, LANES, openExchange, type Signed } from './exchange.ts'

let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  services = await exchange.start({ SETTLE_WAIT_MS: '20000' })
})
afterEach(() => exchange.node.setAutomine(true))
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = async (signed: Signed, by = services) => (await by.call(operations.settle, signed)) as SettleResponse
const isBroadcast = (signed: Signed) => async () => (await exchange.rowOf(signed))?.state === 'broadcast'
const metric = async (name: string, by = services) =>
  ((await by.metrics.registry.getSingleMetric(name)?.get())?.values ?? []).reduce((sum, { value }) => sum + value, 0)
const neverReverted = async (signed: Signed) => {
  const row = await exchange.rowOf(signed)
  expect(['mined', 'final']).toContain(row?.state)
  expect(row?.reason).toBeNull()
}

describe('a token that its issuer has paused', () => {
  afterEach(async () => {
    await exchange.pause(false)
  })

  test('503 that says so, for verify and settle, and nothing is recorded against the payer', async () => {
    await exchange.pause(true)
    const signed = await exchange.pay(wallet(1))
    for (const operation of [operations.verify, operations.settle]) {
      const answer = await services.call(operation, signed)
      expect(isRefusal(answer) && answer.refusal).toBe('temporarily_unavailable')
      expect(isRefusal(answer) && answer.message).toContain('paused all transfers')
    }
    expect(await exchange.rowOf(signed)).toBeUndefined()
    await exchange.pause(false)
    expect(await settle(signed)).toMatchObject({ success: true })
  })

  test('paused between sending and the block: the payment is retried and settles once transfers resume', async () => {
    const before = await metric('callboard_settlement_own_failures_total')
    await exchange.node.setAutomine(false)
    const signed = await exchange.pay(wallet(1))
    const settling = settle(signed)
    await until('it is sent', isBroadcast(signed))
    await exchange.pause(true)
    await exchange.node.mine({ blocks: 1 })
    await until('it is put back', async () => (await exchange.rowOf(signed))?.state === 'verified')
    expect(await metric('callboard_settlement_own_failures_total')).toBe(before + 1)
    await exchange.node.setAutomine(true)
    await exchange.pause(false)
    await settling
    await until('it is settled', async () => (await settle(signed)).success)
    await neverReverted(signed)
    expect(await exchange.uses(signed)).toBe(1)
  })

  test('settlement_pending where the payer has no money by then, because anyone can submit the visible calldata', async () => {
    const payer = await exchange.funded(10_000n)
    const signed = await exchange.pay(payer)
    await exchange.node.setAutomine(false)
    const settling = settle(signed)
    await until('it is sent', isBroadcast(signed))
    await exchange.pause(true)
    await exchange.node.mine({ blocks: 1 })
    await until('it is put back', async () => (await exchange.rowOf(signed))?.state === 'verified')
    await exchange.pause(false)
    await exchange.submitDear(await exchange.pay(payer, { payTo: wallet(3).address }))
    await exchange.node.mine({ blocks: 1 })
    await exchange.node.setAutomine(true)
    await settling
    const answer = await until('it is judged anew', async () => {
      const again = await settle(signed)
      return again.success === false && again
    })
    expect(answer).toMatchObject({ errorReason: 'settlement_pending', transaction: expect.stringMatching(/^0x/) })
    await exchange.fund(payer.address, 10_000n)
    const foreign = await exchange.submit(signed)
    await until('it is settled though nobody asks', async () => (await exchange.rowOf(signed))?.settled_tx === foreign)
    expect(await settle(signed)).toMatchObject({ success: true, transaction: foreign })
    expect(await exchange.uses(signed)).toBe(1)
  })
})

describe('a batch that fails as a whole', () => {
  /** Wasted gas in our books, by scope. */
  const wasted = async () =>
    new Map(
      (
        await exchange.database.query(
          `select scope, sum(wasted)::int as gas from x402_facilitator.gas_spent group by scope having sum(wasted) > 0`,
        )
      ).map(({ scope, gas }) => [scope as string, Number(gas)]),
    )

  test('each of its payments is settled alone, and its gas is booked to the chain, not to a payer or payee', async () => {
    const { settlementBatch } = exchange.devnet
    const before = await wasted()
    await exchange.node.setAutomine(false)
    const payments = await Promise.all([1, 2, 3].map((payer) => exchange.pay(wallet(payer))))
    const settling = Promise.all(payments.map((signed) => settle(signed)))
    for (const signed of payments) await until('it is sent', isBroadcast(signed))
    const [batch, ...more] = new Set(
      (await Promise.all(payments.map((signed) => exchange.rowOf(signed)))).map((row) => row?.tx_hash as Hex),
    )
    expect(more).toEqual([])
    // An invalid opcode burns all gas, as running out of gas does.
    await exchange.node.setCode({ address: settlementBatch, bytecode: '0xfe' })
    await exchange.node.mine({ blocks: 1 })
    await exchange.node.setCode({ address: settlementBatch, bytecode: artifacts.settlementBatch.deployedBytecode })
    await exchange.node.setAutomine(true)
    const answers = await settling
    expect(answers.map(({ success }) => success)).toEqual([true, true, true])
    expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(3)
    expect(answers.map(({ transaction }) => transaction)).not.toContain(batch)
    for (const signed of payments) await neverReverted(signed)
    const { gasUsed } = await exchange.node.getTransactionReceipt({ hash: batch as Hex })
    const after = await wasted()
    expect(after.get('chain')).toBeGreaterThanOrEqual((before.get('chain') ?? 0) + Number(gasUsed))
    after.delete('chain')
    before.delete('chain')
    expect(after).toEqual(before)
  })
})

describe('a signing account without coins', () => {
  const poor = async (balance: bigint) => {
    for (const { address } of LANES) await exchange.node.setBalance({ address, value: balance })
  }
  const refusedForGas = async (by: TestServices) => {
    const answer = await by.call(operations.settle, await exchange.pay(wallet(1)))
    return (
      isRefusal(answer) && answer.refusal === 'temporarily_unavailable' && answer.message?.includes('no coins for gas')
    )
  }
  afterEach(async () => {
    await poor(parseEther('1000'))
    await exchange.node.setCode({ address: ORACLE, bytecode: '0x' })
  })
  const ORACLE: Address = '0x420000000000000000000000000000000000000F'
  /** Answers `getL1FeeUpperBound(size)` with size · 10^12 wei: PUSH1 4, CALLDATALOAD, PUSH5 10^12, MUL, return a word. */
  const ORACLE_CODE = '0x60043564e8d4a510000260005260206000f3'

  test('503 that says so and a gauge at zero, until the account is topped up', async () => {
    const own = await exchange.start()
    await poor(1n)
    await until('it is seen', () => refusedForGas(own))
    await own.metrics.collectors.collect()
    expect(await metric('callboard_lanes_funded', own)).toBe(0)
    await poor(parseEther('1'))
    await until('it settles', async () => (await settle(await exchange.pay(wallet(1)), own)).success)
    await own.stop()
  })

  test('on an OP Stack chain its coins must also cover the data fee', async () => {
    // Enough for gas: 3 · 200,000 · 4 gwei is 0.0024; three times 700 bytes · 10^12 wei is 0.0021 more, plus batches.
    await poor(parseEther('0.0030'))
    const plain = await exchange.start({ MAX_FEE_GWEI: '{"eip155:31337": 4}' })
    expect(await settle(await exchange.pay(wallet(1)), plain)).toMatchObject({ success: true })
    await plain.stop()
    await exchange.node.setCode({ address: ORACLE, bytecode: ORACLE_CODE })
    const rollup = await exchange.start({ MAX_FEE_GWEI: '{"eip155:31337": 4}' })
    expect(await refusedForGas(rollup)).toBe(true)
    await poor(parseEther('1'))
    await until('it settles', async () => (await settle(await exchange.pay(wallet(1)), rollup)).success)
    await rollup.stop()
  })
})

describe('requests to a node', () => {
  test('transfers are simulated from the account that sends them, and a contract payer’s from exactly that one', async () => {
    const proxy = await rpcProxy(exchange.devnet.rpcUrl)
    const own = await exchange.start(exchange.via(proxy.url))
    const account = await exchange.deployWallet(wallet(2).address)
    await exchange.fund(account, 10_000n)
    const lanes = LANES.map(({ address }) => address.toLowerCase())
    const tried = () =>
      proxy.asked.flatMap(({ method, params }) => {
        const [call = {}] = (params ?? []) as [{ from?: string; to?: string; data?: string }]
        const isTransfer =
          method === 'eth_call' &&
          (!call.to || call.data?.startsWith('0xcf092995') || call.data?.startsWith('0xe3ee160e'))
        return isTransfer ? [call.from?.toLowerCase()] : []
      })
    await settle(await exchange.pay(wallet(1)), own)
    expect(tried().length).toBeGreaterThan(0)
    for (let round = 0; round < 2; round++) {
      const signed = await exchange.pay(wallet(2), { amount: 1_000n }, { from: account })
      const { transaction } = await settle(signed, own)
      const { from } = await exchange.node.getTransaction({ hash: transaction as Hex })
      expect(tried().at(-1)).toBe(from)
    }
    for (const from of tried()) expect(lanes).toContain(from)
    await own.stop()
    await proxy.close()
  })

  test('a node that cannot run the lens is counted, and payments are checked one by one', async () => {
    const proxy = await rpcProxy(exchange.devnet.rpcUrl)
    const own = await exchange.start(exchange.via(proxy.url))
    proxy.lie = {
      refusal: ({ method, params }) =>
        method === 'eth_call' && !(params as [{ to?: string }])[0].to
          ? 'contract creation is not simulated'
          : undefined,
    }
    expect(await settle(await exchange.pay(wallet(1)), own)).toMatchObject({ success: true })
    expect(await metric('callboard_payment_lens_lost_total', own)).toBeGreaterThan(0)
    await own.stop()
    await proxy.close()
  })
})
