import { x402Facilitator as operations } from '@callboard/contract'
import { granted, runOnce, startTestServices, type TestServices, wallet } from '@callboard/testkit'
import { type Asked, rpcProxy } from '@callboard/testkit/servers'
import { DAY_MS, MINUTE_MS } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FacilitatorContext } from '../src/context.ts'
import { x402Facilitator } from '../src/index.ts'
import { forgetForeign } from '../src/jobs/forget-foreign.ts'
import { type Exchange, openExchange, type Signed } from './exchange.ts'

/** The logs of the newest blocks, which are all that a search reads after thirty days. */
const withoutLogs = ({ method }: Asked, result: unknown) => (method === 'eth_getLogs' ? [] : result)

let exchange: Exchange
let services: TestServices
beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  services = await exchange.start()
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const query = (text: string, values: unknown[] = []) => exchange.database.query(text, values)
const settle = async (signed: Signed, by = services): Promise<SettleResponse> =>
  granted(await by.call(operations.settle, signed))
const nonceOf = (signed: Signed) => signed.paymentPayload.payload.authorization.nonce
const change = (signed: Signed, set: string) =>
  query(`update x402_facilitator.payment set ${set} where nonce = $1`, [nonceOf(signed)])
const kept = async () => (await query('select nonce from x402_facilitator.payment')).map(({ nonce }) => nonce)
const eventsOf = (signed: Signed) => query('select 1 from x402_facilitator.outbox where key = $1', [nonceOf(signed)])

const forgetAfter = (days: number) =>
  runOnce(forgetForeign, services.contexts.get('x402-facilitator') as FacilitatorContext, days * DAY_MS)

/** A payment that a third party had submitted before it was presented. */
async function foreign(): Promise<Signed> {
  const signed = await exchange.pay(wallet(2))
  const transaction = await exchange.submit(signed)
  expect(await settle(signed)).toMatchObject({ success: true, transaction })
  return signed
}

test('a payment that a third party had submitted is forgotten after thirty days, and never counts twice', async () => {
  const [theirs, ours] = [await foreign(), await exchange.pay(wallet(1))]
  expect(await settle(ours)).toMatchObject({ success: true })
  await forgetAfter(29)
  expect(await kept()).toEqual(expect.arrayContaining([theirs, ours].map(nonceOf)))
  await forgetAfter(31)
  expect(await kept()).not.toContain(nonceOf(theirs))
  expect(await kept()).toContain(nonceOf(ours))

  const proxy = await rpcProxy(exchange.devnet.rpcUrl)
  proxy.lie = { result: withoutLogs }
  const later = await startTestServices([x402Facilitator], {
    databaseUrl: exchange.database.url,
    env: { ...exchange.env, ...exchange.via(proxy.url) },
    clock: { now: () => Date.now() + 10 * MINUTE_MS },
  })
  expect(await settle(theirs, later)).toMatchObject({
    success: false,
    errorReason: 'invalid_exact_evm_nonce_already_used',
  })
  expect(await settle(ours, later)).toMatchObject({ success: true })
  await later.stop()
  await proxy.close()
  expect(await eventsOf(theirs)).toHaveLength(1)
})

test('it is kept where it bought of us, where we signed for it, where a restore found it again, and until it is final', async () => {
  const [bought, signed, recovered, unsafe] = [await foreign(), await foreign(), await foreign(), await foreign()]
  await query(
    `insert into x402_facilitator.grant_binding (payment_key, operation, fingerprint, created_at)
     select key, 'x402Facilitator.decode', 'f', now() from x402_facilitator.payment where nonce = $1`,
    [nonceOf(bought)],
  )
  await query(
    `insert into x402_facilitator.leg (network, lane, chain_nonce, payment_key)
     select network, payer, 1000000, key from x402_facilitator.payment where nonce = $1`,
    [nonceOf(signed)],
  )
  await change(recovered, 'request_id = null')
  await change(unsafe, "state = 'safe'")
  await forgetAfter(31)
  const all = [bought, signed, recovered, unsafe].map(nonceOf)
  expect(await kept()).toEqual(expect.arrayContaining(all))
  await change(unsafe, "state = 'final'")
})

test('payers without credit are forgotten with it, and those that have earned some are not', async () => {
  await foreign()
  await settle(await exchange.pay(wallet(1)))
  const payers = async () =>
    (await query('select payer, credit from x402_facilitator.payer_credit')).map(({ payer }) => payer)
  await forgetAfter(29)
  expect(await payers()).toEqual(expect.arrayContaining([wallet(1).address, wallet(2).address]))
  await forgetAfter(31)
  expect(await payers()).toEqual([wallet(1).address])
})
