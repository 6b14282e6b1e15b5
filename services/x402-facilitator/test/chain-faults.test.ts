import { x402Facilitator as operations } from '@callboard/contract'
import { granted, startTestServices, type TestServices, until, wallet } from '@callboard/testkit'
import { type Address, type Caip2, type Hex, MINUTE_MS } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { x402Facilitator } from '../src/index.ts'
import { type Exchange, FINALIZED_AFTER, LANES, newNonce, openExchange, type Signed, type Terms } from './exchange.ts'

const FINALITY_DEPTH = 6
const GWEI = 1_000_000_000n
let exchange: Exchange
let services: TestServices

const settings = { SETTLE_WAIT_MS: '1000' }

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: FINALITY_DEPTH })
  services = await exchange.start(settings)
})
afterEach(() => exchange.node.setAutomine(true))
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = async (signed: Signed) => (await services.call(operations.settle, signed)) as SettleResponse

/** Repeats the settlement until it has an outcome. */
const outcomeOf = (signed: Signed): Promise<SettleResponse> =>
  until('the payment has an outcome', async () => {
    const answer = await settle(signed)
    return answer.errorReason === 'settlement_pending' ? undefined : answer
  })

const keyOf = (signed: Signed) => `%${signed.paymentPayload.payload.authorization.nonce}`
const transactionsOf = (signed: Signed) =>
  exchange.database.query(
    `select * from x402_facilitator.transaction join x402_facilitator.leg using (network, lane, chain_nonce)
      where leg.payment_key like $1 order by created_at`,
    [keyOf(signed)],
  )
const eventsOf = (signed: Signed) =>
  exchange.database.query('select data from x402_facilitator.outbox where key = $1', [
    signed.paymentPayload.payload.authorization.nonce,
  ])
const inPool = async (hash: string) =>
  (await exchange.node.getTransaction({ hash: hash as Hex }).catch(() => undefined)) !== undefined
const reorg = (depth: number) => exchange.node.request({ method: 'anvil_reorg', params: [depth, []] } as never)
const states = (signed: Signed, state: string) => async () => (await exchange.rowOf(signed))?.state === state

test('settlement_pending with the hash while no block comes, and the same payment gets the success later', async () => {
  await exchange.node.setAutomine(false)
  const signed = await exchange.pay(wallet(1))
  const pending = await settle(signed)
  expect(pending).toEqual({
    success: false,
    errorReason: 'settlement_pending',
    payer: wallet(1).address,
    network: exchange.network,
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    extra: { confirmation: { policy: 'included', reached: null } },
  })
  expect(await settle(signed)).toEqual(pending)
  const { network, asset } = signed.paymentRequirements as { network: Caip2; asset: Address }
  const { from, nonce } = signed.paymentPayload.payload.authorization
  expect(await services.call(operations.status, { network, asset, from, nonce })).toEqual({
    state: 'unknown',
    settlement: pending,
  })
  await exchange.node.mine({ blocks: 1 })
  expect(await outcomeOf(signed)).toMatchObject({ success: true, transaction: pending.transaction })
  expect(await transactionsOf(signed)).toHaveLength(1)
})

test('a pending payment is followed and announced without another request', async () => {
  await exchange.node.setAutomine(false)
  const signed = await exchange.pay(wallet(1))
  expect(await settle(signed)).toMatchObject({ errorReason: 'settlement_pending' })
  await exchange.node.mine({ blocks: 1 })
  await until('the success is stored', states(signed, 'mined'))
  expect(await eventsOf(signed)).toHaveLength(1)
})

test('a transaction that the node dropped is sent again unchanged', async () => {
  await exchange.node.setAutomine(false)
  const signed = await exchange.pay(wallet(1))
  const { transaction } = await settle(signed)
  await exchange.node.dropTransaction({ hash: transaction as Hex })
  expect(await inPool(transaction)).toBe(false)
  await until('the node has it again', () => inPool(transaction))
  await exchange.node.mine({ blocks: 1 })
  expect(await outcomeOf(signed)).toMatchObject({ success: true, transaction })
  expect(await transactionsOf(signed)).toHaveLength(1)
})

test('after a reorganisation removes its block, the same transaction is sent again, and announced once', async () => {
  const signed = await exchange.pay(wallet(1))
  const first = await outcomeOf(signed)
  const before = await exchange.rowOf(signed)
  await reorg(1)
  expect(await exchange.uses(signed)).toBe(0)
  await until('it stands in another block', async () => {
    const row = await exchange.rowOf(signed)
    return row?.state === 'mined' && row.block_hash !== before?.block_hash
  })
  expect(await outcomeOf(signed)).toEqual(first)
  expect(await exchange.uses(signed)).toBe(1)
  expect(await eventsOf(signed)).toHaveLength(1)
})

test('after a reorganisation removes a third party’s submission, ours is sent instead', async () => {
  const signed = await exchange.pay(wallet(1))
  const foreign = await exchange.submit(signed)
  expect(await outcomeOf(signed)).toMatchObject({ success: true, transaction: foreign })
  await reorg(1)
  await until('it stands in another block', async () => (await exchange.rowOf(signed))?.tx_hash !== null)
  const answer = await outcomeOf(signed)
  expect(answer).toMatchObject({ success: true })
  expect(answer.transaction).not.toBe(foreign)
  expect(await exchange.uses(signed)).toBe(1)
})

test('a payment becomes final when the node calls its block finalized', async () => {
  const signed = await exchange.pay(wallet(1))
  const answer = await outcomeOf(signed)
  await exchange.node.mine({ blocks: FINALIZED_AFTER })
  await until('it is final', states(signed, 'final'))
  expect(await settle(signed)).toEqual({
    ...answer,
    extra: { confirmation: { policy: 'included', reached: 'finalized' } },
  })
})

test('when a chain nonce was used without us, the payment is signed again under the next one', async () => {
  for (const lane of LANES) await exchange.useNonce(lane)
  const signed = await exchange.pay(wallet(1))
  expect(await outcomeOf(signed)).toMatchObject({ success: true })
  expect(await transactionsOf(signed)).toHaveLength(2)
  expect(await exchange.uses(signed)).toBe(1)
})

test('a transaction whose fee became too low is replaced under the same chain nonce', async () => {
  await services.stop()
  services = await exchange.start({ ...settings, REPRICE_AFTER_MS: '1000' })
  await exchange.node.setAutomine(false)
  const signed = await exchange.pay(wallet(1))
  const { transaction } = await settle(signed)
  const [first] = await transactionsOf(signed)
  const { maxFeePerGas = 0n } = await exchange.node.getTransaction({ hash: transaction as Hex })
  await exchange.node.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas + maxFeePerGas / 10n })
  const replacement = await until('there is a replacement', async () => (await transactionsOf(signed)).at(1))
  expect(replacement).toMatchObject({ lane: first?.lane, chain_nonce: first?.chain_nonce })
  await until('the node has the replacement', () => inPool(replacement.hash))
  await exchange.node.mine({ blocks: 1 })
  const answer = await outcomeOf(signed)
  expect(answer).toMatchObject({ success: true })
  expect((await transactionsOf(signed)).slice(1).map(({ hash }) => hash)).toContain(answer.transaction)
  expect(await exchange.uses(signed)).toBe(1)
})

describe('a transaction that failed in a block', () => {
  /** A payment whose transaction follows another one that took its payer's money. */
  async function reverted(terms: Terms = {}) {
    const payer = await exchange.funded(10_000n)
    const signed = await exchange.pay(payer, terms)
    await exchange.node.setAutomine(false)
    const settling = settle(signed)
    await exchange.isSent()
    await exchange.submitDear(await exchange.pay(payer, { payTo: wallet(3).address }))
    await exchange.node.mine({ blocks: 1 })
    const answer = await settling
    expect(answer).toMatchObject({ errorReason: 'settlement_pending', transaction: expect.stringMatching(/^0x/) })
    expect((await exchange.rowOf(signed))?.state).toBe('reverted')
    await exchange.node.setAutomine(true)
    return { payer, signed, answer }
  }
  const burned = async () =>
    (
      await exchange.database.query(
        "select sum(spent)::int as gas from x402_facilitator.gas_spent where scope = 'chain'",
      )
    )[0]?.gas

  test('is settled once, despite the failure, when a reorganisation removes what came before it', async () => {
    const { signed } = await reverted()
    await reorg(1)
    expect(await outcomeOf(signed)).toMatchObject({ success: true })
    expect(await exchange.uses(signed)).toBe(1)
    expect(await eventsOf(signed)).toHaveLength(1)
  })

  test('is settled by whoever submits its calldata later, and is announced once and its gas booked once', async () => {
    const { payer, signed, answer } = await reverted()
    await exchange.node.mine({ blocks: FINALIZED_AFTER })
    const { network, asset } = signed.paymentRequirements as { network: Caip2; asset: Address }
    const { from, nonce } = signed.paymentPayload.payload.authorization
    const state = async () => granted(await services.call(operations.status, { network, asset, from, nonce })).state
    expect([await state(), await settle(signed)]).toEqual(['unknown', answer])
    const before = await burned()
    await exchange.fund(payer.address, 10_000n)
    const foreign = await exchange.submit(signed)
    expect(await outcomeOf(signed)).toMatchObject({ success: true, transaction: foreign })
    expect([await exchange.uses(signed), (await eventsOf(signed)).length, await burned()]).toEqual([1, 1, before])
  })

  test('is announced once where several callers find at once that a third party has submitted it', async () => {
    const { payer, signed } = await reverted()
    await exchange.fund(payer.address, 10_000n)
    const foreign = await exchange.submit(signed)
    const answers = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(signed)))
    expect(new Set(answers.map(({ success, transaction }) => `${success} ${transaction}`))).toEqual(
      new Set([`true ${foreign}`]),
    )
    expect(await eventsOf(signed)).toHaveLength(1)
  })

  test('is followed even if no caller asks again', async () => {
    const { payer, signed } = await reverted()
    await exchange.fund(payer.address, 10_000n)
    await exchange.submit(signed)
    await until('the success is stored', states(signed, 'mined'))
    expect(await eventsOf(signed)).toHaveLength(1)
  })

  test('fails with the reason of the revert once its window is over', async () => {
    const validBefore = Math.floor(Date.now() / 1000) + 20
    const { signed, answer } = await reverted({ validBefore })
    const before = await burned()
    await exchange.node.setNextBlockTimestamp({ timestamp: BigInt(validBefore) + 5n })
    await exchange.node.mine({ blocks: FINALITY_DEPTH })
    expect(await settle(signed)).toEqual(answer)
    await exchange.node.mine({ blocks: 1 })
    expect(await outcomeOf(signed)).toMatchObject({
      ...{ success: false, errorReason: 'invalid_exact_evm_insufficient_balance', transaction: answer.transaction },
    })
    expect(await burned()).toBe(before)
  })
})

describe('a payment that is first presented after its window', () => {
  let late: TestServices
  beforeAll(async () => {
    const clock = { now: () => Date.now() + 10 * MINUTE_MS }
    const env = { ...exchange.env, ...settings }
    late = await startTestServices([x402Facilitator], { databaseUrl: exchange.database.url, env, clock })
  })
  afterAll(() => late.stop())
  const settleLate = (signed: Signed) => late.call(operations.settle, signed)
  const OVER = { success: false, errorReason: 'invalid_exact_evm_payload_authorization_valid_before', transaction: '' }

  test('is settled by the third party that submitted it in time', async () => {
    const signed = await exchange.pay(wallet(1))
    const foreign = await exchange.submit(signed)
    expect(await settleLate(signed)).toMatchObject({ success: true, transaction: foreign })
    expect(await eventsOf(signed)).toMatchObject([{ data: { txHash: foreign, foreign: true, resourceUrl: null } }])
  })

  test('is settled by a third party even if we refused it before', async () => {
    const payer = await exchange.funded(1n)
    const signed = await exchange.pay(payer)
    expect(await settle(signed)).toMatchObject({ errorReason: 'invalid_exact_evm_insufficient_balance' })
    await exchange.fund(payer.address, 10_000n)
    const foreign = await exchange.submit(signed)
    expect(await settleLate(signed)).toMatchObject({ success: true, transaction: foreign })
  })

  test('is refused as expired where its authorization is unused or not signed by its payer', async () => {
    const signed = await exchange.pay(wallet(1))
    expect(await settleLate(signed)).toMatchObject(OVER)
    await exchange.submit(signed)
    const { signature } = (await exchange.pay(wallet(1))).paymentPayload.payload
    const payload = { ...signed.paymentPayload.payload, signature }
    const forged = { ...signed, paymentPayload: { ...signed.paymentPayload, payload } }
    expect(await settleLate(forged)).toMatchObject(OVER)
    expect(await exchange.rowOf(signed)).toBeUndefined()
  })

  test('is refused where its authorization paid someone else', async () => {
    const nonce = newNonce()
    await exchange.submit(await exchange.pay(wallet(1), { nonce, payTo: wallet(3).address }))
    const signed = await exchange.pay(wallet(1), { nonce })
    expect(await settleLate(signed)).toMatchObject({ errorReason: 'invalid_exact_evm_nonce_already_used' })
  })
})

test('a payment fails only once its window is over on the chain and it is unused, and its account then goes on', async () => {
  await exchange.node.setAutomine(false)
  const { timestamp } = await exchange.node.getBlock()
  const validBefore = Number(timestamp) + 20
  const signed = await exchange.pay(wallet(1), { validBefore })
  expect(await settle(signed)).toMatchObject({ errorReason: 'settlement_pending' })
  await exchange.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 50n * GWEI })
  await exchange.node.mine({ blocks: 1 })
  await exchange.node.setNextBlockTimestamp({ timestamp: BigInt(validBefore) + 5n })
  for (let block = 0; block <= FINALITY_DEPTH; block++) {
    await exchange.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 50n * GWEI })
    await exchange.node.mine({ blocks: 1 })
  }
  expect(await outcomeOf(signed)).toMatchObject({
    success: false,
    errorReason: 'invalid_exact_evm_payload_authorization_valid_before',
  })
  await exchange.node.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI })
  await exchange.node.mine({ blocks: 1 })
  await exchange.node.setNextBlockBaseFeePerGas({ baseFeePerGas: GWEI })
  await exchange.node.setAutomine(true)
  expect(await outcomeOf(await exchange.pay(wallet(2)))).toMatchObject({ success: true })
  expect(await exchange.uses(signed)).toBe(0)
}, 60_000)
