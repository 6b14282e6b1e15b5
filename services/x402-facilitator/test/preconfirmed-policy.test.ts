import { type InputOf, x402Facilitator as operations } from '@callboard/contract'
import { granted, startTestServices, type TestServices, until, wallet } from '@callboard/testkit'
import { type FlashblocksProxy, flashblocksProxy, rpcProxy } from '@callboard/testkit/servers'
import { MINUTE_MS } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { x402Facilitator } from '../src/index.ts'
import { type Exchange, openExchange, type Signed } from './exchange.ts'

let exchange: Exchange
let proxy: FlashblocksProxy
let services: TestServices

const ALLOWED = { default: 'included', allowed: ['preconfirmed', 'included', 'safe', 'finalized'] } as const

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), {
    ...{ finality: 'tags', finalityDepth: 1_000 },
    preconfirmations: { ...ALLOWED, allowed: [...ALLOWED.allowed] },
  })
  proxy = await flashblocksProxy(exchange.devnet.rpcUrl, { everyMs: 50 })
  services = await exchange.start({ ...exchange.via(proxy.url), RESEND_AFTER_MS: '60000', SETTLE_WAIT_MS: '1500' })
  await exchange.node.setAutomine(false)
})
afterEach(() => {
  proxy.drops = false
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})

const settle = async (signed: Signed) => granted(await services.call(operations.settle, signed)) as SettleResponse
const states = (signed: Signed, state: string) => async () => (await exchange.rowOf(signed))?.state === state
const statusOf = (signed: Signed) => {
  const { network, asset } = signed.paymentRequirements as { network: string; asset: string }
  const { from, nonce } = signed.paymentPayload.payload.authorization
  return services.call(operations.status, { network, asset, from, nonce } as InputOf<typeof operations.status>)
}
const eventsOf = (signed: Signed) =>
  exchange.database.query('select * from x402_facilitator.outbox where key = $1', [
    signed.paymentPayload.payload.authorization.nonce,
  ])
const confirmation = (policy: string, reached: string | null) => ({ extra: { confirmation: { policy, reached } } })
/** The same payment, as asked about by another, or a more careful, seller. */
const askedFor = (signed: Signed, policy: string) => {
  const { extra, ...rest } = signed.paymentRequirements as { extra: object }
  return { ...signed, paymentRequirements: { ...rest, extra: { ...extra, confirmation: policy } } }
}

test('preconfirmed: the success is answered before any block holds it, and announced when one does', async () => {
  const payTo = wallet(61).address
  const signed = await exchange.pay(wallet(1), { payTo, confirmation: 'preconfirmed' })
  expect(await settle(signed)).toMatchObject({ success: true, ...confirmation('preconfirmed', 'preconfirmed') })
  expect([await exchange.balanceOf(payTo), await eventsOf(signed)]).toEqual([0n, []])
  expect(await statusOf(signed)).toMatchObject({ state: 'settled' })

  await exchange.node.mine({ blocks: 1 })
  await until('a block holds it', states(signed, 'mined'))
  expect(await settle(signed)).toMatchObject({ success: true, ...confirmation('preconfirmed', 'included') })
  const [told] = await eventsOf(signed)
  expect(told?.data).toMatchObject({ confirmation: { policy: 'preconfirmed', reached: 'included' } })
  expect([await exchange.uses(signed), await exchange.balanceOf(payTo)]).toEqual([1, 10_000n])
})

test('a payer that has its payment preconfirmed first gains nothing, because the seller’s own policy counts', async () => {
  const signed = await exchange.pay(wallet(2), { payTo: wallet(62).address })
  expect(await settle(askedFor(signed, 'preconfirmed'))).toMatchObject({ success: true })
  expect(await settle(signed)).toMatchObject({
    ...{ success: false, errorReason: 'settlement_pending' },
    ...confirmation('included', 'preconfirmed'),
  })
  await exchange.node.mine({ blocks: 1 })
  await until('a block holds it', states(signed, 'mined'))
  expect(await settle(signed)).toMatchObject({ success: true, ...confirmation('included', 'included') })
})

test('when a preconfirmation comes to nothing, the payment is unknown again, is sent again, and is paid once', async () => {
  const payTo = wallet(63).address
  const signed = await exchange.pay(wallet(1), { payTo, confirmation: 'preconfirmed' })
  proxy.drops = true
  expect(await settle(signed)).toMatchObject({ success: true, ...confirmation('preconfirmed', 'preconfirmed') })
  await exchange.node.mine({ blocks: 2 })
  await until('the transaction is known to be in no block', states(signed, 'broadcast'))
  expect(await statusOf(signed)).toMatchObject({ state: 'unknown' })
  const vanished = await exchange.rowOf(signed)
  expect(vanished).toMatchObject({ settled_tx: null, announced_tx: null, preconfirmed_tx: vanished?.tx_hash })
  proxy.drops = false
  expect(await settle(signed), 'a second preconfirmation of one payment').toMatchObject({
    ...{ success: false, errorReason: 'settlement_pending', transaction: vanished?.tx_hash },
    ...confirmation('preconfirmed', null),
  })

  await exchange.isSent()
  await exchange.node.mine({ blocks: 1 })
  await until('a block holds it', states(signed, 'mined'))
  expect(await settle(signed)).toMatchObject({ success: true, transaction: vanished?.tx_hash })
  expect([await exchange.uses(signed), await exchange.balanceOf(payTo)]).toEqual([1, 10_000n])
  expect(await eventsOf(signed)).toHaveLength(1)
})

test('a payer gets preconfirmations only up to its exposure, while they stand and after they come to nothing', async () => {
  const payer = await (async () => {
    await exchange.node.setAutomine(true)
    const funded = await exchange.funded(1_000_000n)
    await exchange.node.setAutomine(false)
    return funded
  })()
  proxy.drops = true
  const payments = await Promise.all(
    Array.from({ length: 8 }, () => exchange.pay(payer, { payTo: wallet(64).address, confirmation: 'preconfirmed' })),
  )
  const answers = await Promise.all(payments.map(settle))
  expect(answers.filter(({ success }) => success)).toHaveLength(5)
  expect(answers.filter(({ errorReason }) => errorReason === 'settlement_pending')).toHaveLength(3)
  await exchange.node.mine({ blocks: 2 })
  const statesNow = async () =>
    (await Promise.all(payments.map((signed) => exchange.rowOf(signed)))).map((row) => row?.state)
  await until('none of them stands', async () => !(await statesNow()).includes('preconfirmed'))
  const sixth = await exchange.pay(payer, { payTo: wallet(64).address, confirmation: 'preconfirmed' })
  expect(await settle(sixth), 'while what vanished may still be paid').toMatchObject({
    errorReason: 'settlement_pending',
  })
  expect((await Promise.all(payments.map(eventsOf))).flat()).toEqual([])
})

test('a payment that a node promised for a block far away counts as paid by the block that holds it', async () => {
  const lying = await rpcProxy(exchange.devnet.rpcUrl)
  let showsReceipts = false
  lying.lie = {
    result({ method }, result) {
      if (method === 'eth_sendRawTransactionSync') {
        return { ...(result as object), blockNumber: '0xffffffff', blockHash: `0x${'ab'.repeat(32)}` }
      }
      // A poll may be faster than the answer with the promise, and would then find the block that holds the payment.
      return method === 'eth_getTransactionReceipt' && !showsReceipts ? null : result
    },
  }
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  const env = { ...exchange.env, ...exchange.via(lying.url), SETTLE_WAIT_MS: '1500' }
  const believing = await startTestServices([x402Facilitator], { databaseUrl: exchange.database.url, env, clock })
  await exchange.node.setAutomine(true)
  const signed = await exchange.pay(wallet(3), { payTo: wallet(65).address, confirmation: 'preconfirmed' })
  expect(await believing.call(operations.settle, signed)).toMatchObject({
    ...{ success: true, ...confirmation('preconfirmed', 'preconfirmed') },
  })
  showsReceipts = true
  ahead = 2 * MINUTE_MS
  await until('a block holds it', states(signed, 'mined'))
  expect(await eventsOf(signed)).toHaveLength(1)
  await exchange.node.setAutomine(false)
  await believing.stop()
  await lying.close()
})
