import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { type Address, type Caip2, DAY_MS } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, FINALIZED_AFTER, openExchange, type Signed } from './exchange.ts'

let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: 6 })
  services = await exchange.start({ SETTLE_WAIT_MS: '1000' })
})
afterEach(() => exchange.node.setAutomine(true))
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = async (signed: Signed) => (await services.call(operations.settle, signed)) as SettleResponse
const nonceOf = (signed: Signed) => signed.paymentPayload.payload.authorization.nonce
const reorg = (depth: number) => exchange.node.request({ method: 'anvil_reorg', params: [depth, []] } as never)

async function statusOf(signed: Signed) {
  const { network, asset } = signed.paymentRequirements as { network: Caip2; asset: Address }
  const { from, nonce } = signed.paymentPayload.payload.authorization
  return granted(await services.call(operations.status, { network, asset, from, nonce }))
}

const stored = async (signed: Signed) =>
  (await exchange.database.query('select * from x402_facilitator.payment where nonce = $1', [nonceOf(signed)]))[0]
const eventsOf = (signed: Signed) =>
  exchange.database.query('select data from x402_facilitator.outbox where key = $1', [nonceOf(signed)])
const burned = async () =>
  (
    await exchange.database.query("select sum(spent)::int as gas from x402_facilitator.gas_spent where scope = 'chain'")
  )[0]?.gas

/** Repeats the settlement until it has an outcome. */
const outcomeOf = (signed: Signed): Promise<SettleResponse> =>
  until('the payment has an outcome', async () => {
    const answer = await settle(signed)
    return answer.errorReason === 'settlement_pending' ? undefined : answer
  })

const CANCELLED = { success: false, errorReason: 'invalid_exact_evm_nonce_already_used' }
const PENDING = {
  success: false,
  errorReason: 'settlement_pending',
  errorMessage: expect.stringContaining('cancelled or used for something else, in a block that may still go away'),
}

describe('a payment whose payer cancels its authorization ahead of our transaction', () => {
  async function runAhead() {
    const payer = await exchange.funded(10_000n)
    const signed = await exchange.pay(payer)
    await exchange.node.setAutomine(false)
    const settling = settle(signed)
    await exchange.isSent()
    await exchange.cancelDear(payer, nonceOf(signed))
    await exchange.node.mine({ blocks: 1 })
    const answer = await settling
    await exchange.node.setAutomine(true)
    return { signed, answer }
  }

  test('is pending with its reason until the cancellation is final, then failed, and its gas is booked once', async () => {
    const { signed, answer } = await runAhead()
    expect(answer).toMatchObject({ ...PENDING, transaction: expect.stringMatching(/^0x/) })
    expect(await statusOf(signed)).toMatchObject({ state: 'unknown', settlement: PENDING })
    const before = await burned()
    await exchange.node.mine({ blocks: FINALIZED_AFTER - 1 })
    expect(await settle(signed)).toEqual(answer)
    await exchange.node.mine({ blocks: 1 })
    expect(await outcomeOf(signed)).toMatchObject({ ...CANCELLED, transaction: answer.transaction })
    expect(await statusOf(signed)).toMatchObject({ state: 'failed', settlement: CANCELLED })
    expect(await burned()).toBe(before)
  })

  test('is settled once when a reorganisation removes the cancellation', async () => {
    const { signed, answer } = await runAhead()
    await reorg(1)
    expect(await outcomeOf(signed)).toMatchObject({ success: true, transaction: answer.transaction })
    expect([await exchange.uses(signed), (await eventsOf(signed)).length]).toEqual([1, 1])
  })

  test('fails once the cancellation is final, even if no caller asks again', async () => {
    const { signed } = await runAhead()
    await exchange.node.mine({ blocks: FINALIZED_AFTER })
    await until('the failure is stored', async () => (await stored(signed))?.state === 'failed')
  })
})

describe('a payment that is cancelled once its transaction has failed', () => {
  async function cancelled() {
    const payer = await exchange.funded(10_000n)
    const signed = await exchange.pay(payer)
    await exchange.node.setAutomine(false)
    const settling = settle(signed)
    await exchange.isSent()
    await exchange.submitDear(await exchange.pay(payer, { payTo: wallet(3).address }))
    await exchange.node.mine({ blocks: 1 })
    expect((await settling).errorMessage).toContain('The transaction failed')
    await exchange.node.setAutomine(true)
    await exchange.cancel(payer, nonceOf(signed))
    return { payer, signed }
  }

  test('is pending until the cancellation is final, then failed', async () => {
    const { signed } = await cancelled()
    expect(await settle(signed)).toMatchObject(PENDING)
    await exchange.node.mine({ blocks: FINALIZED_AFTER })
    expect(await outcomeOf(signed)).toMatchObject(CANCELLED)
  })

  test('is settled by whoever submits it after a reorganisation removed the cancellation', async () => {
    const { payer, signed } = await cancelled()
    expect(await settle(signed)).toMatchObject(PENDING)
    await reorg(1)
    expect((await settle(signed)).errorMessage).toContain('The transaction failed')
    await exchange.fund(payer.address, 10_000n)
    const foreign = await exchange.submit(signed)
    expect(await outcomeOf(signed)).toMatchObject({ success: true, transaction: foreign })
    expect([await exchange.uses(signed), (await eventsOf(signed)).length]).toEqual([1, 1])
  })
})

test('a payment that is cancelled while its transaction is in no block stays pending until that is final', async () => {
  const payer = await exchange.funded(10_000n)
  const signed = await exchange.pay(payer)
  await exchange.node.setAutomine(false)
  const { transaction } = await settle(signed)
  await exchange.node.dropTransaction({ hash: transaction as `0x${string}` })
  await exchange.cancelDear(payer, nonceOf(signed))
  await exchange.node.mine({ blocks: 1 })
  expect(await settle(signed)).toMatchObject({ errorReason: 'settlement_pending' })
  await exchange.node.mine({ blocks: FINALIZED_AFTER })
  expect(await outcomeOf(signed)).toMatchObject(CANCELLED)
})

test('invalid_exact_evm_nonce_already_used: a cancelled one whose window lies ahead is not run until it opens', async () => {
  const payer = await exchange.funded(10_000n)
  const tomorrow = Math.floor((Date.now() + DAY_MS) / 1000)
  const signed = await exchange.pay(payer, { validAfter: tomorrow, validBefore: 2 * tomorrow })
  const block = await exchange.cancel(payer, nonceOf(signed))
  expect(await settle(signed)).toMatchObject(CANCELLED)
  expect(await stored(signed)).toMatchObject({ state: 'refused' })
  // What the tests before left to send may have made a block since.
  await reorg(Number((await exchange.node.getBlockNumber({ cacheTime: 0 })) - block) + 1)
  const reason = 'invalid_exact_evm_payload_authorization_valid_after'
  expect(await settle(signed)).toMatchObject({ success: false, errorReason: reason })
})
