import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, openExchange, type Signed } from './exchange.ts'

/** As many requests of an operation as a replica takes at once, and as many of them as may wait for nothing. */
const ALL = 256
const WAITING = 128

let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: 6 })
  services = await exchange.start({ SETTLE_WAIT_MS: '10000' })
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = async (signed: Signed) => granted(await services.call(operations.settle, signed))

/** Settles a payment of another payer while these requests are open, of which none costs its caller anything. */
async function settledBeside(requests: readonly Promise<unknown>[]) {
  let answered = 0
  for (const one of requests) void one.then(() => answered++)
  await until('the others are answered as it is', () => answered === ALL - WAITING, 5_000)
  expect(await settle(await exchange.pay(wallet(2)))).toMatchObject({ success: true })
  expect(answered).toBe(ALL - WAITING)
  for (const one of await Promise.all(requests)) expect(one).toMatchObject({ errorReason: 'settlement_pending' })
}

test('one settled payment that is asked about for “finalized” again and again does not use up all requests', async () => {
  const signed = await exchange.pay(wallet(1))
  expect(await settle(signed)).toMatchObject({ success: true })
  const { extra, ...rest } = signed.paymentRequirements as { extra: object }
  const careful = { ...signed, paymentRequirements: { ...rest, extra: { ...extra, confirmation: 'finalized' } } }
  await settledBeside(Array.from({ length: ALL }, () => settle(careful)))
}, 30_000)
