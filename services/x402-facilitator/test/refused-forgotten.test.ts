import { x402Facilitator as operations } from '@callboard/contract'
import { granted, runOnce, type TestServices, wallet } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FacilitatorContext } from '../src/context.ts'
import { forgetRefused } from '../src/jobs/forget-refused.ts'
import { type Exchange, openExchange, type Signed } from './exchange.ts'

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

const settle = async (signed: Signed): Promise<SettleResponse> =>
  granted(await services.call(operations.settle, signed))
const nonceOf = (signed: Signed) => signed.paymentPayload.payload.authorization.nonce
const kept = async () =>
  (await exchange.database.query('select nonce from x402_facilitator.payment')).map(({ nonce }) => nonce)

const forgetAfter = (days: number) =>
  runOnce(forgetRefused, services.contexts.get('x402-facilitator') as FacilitatorContext, days * DAY_MS)

test('a refused payment is deleted after thirty days and can be presented anew, and a settled one is kept', async () => {
  const payer = await exchange.funded(1n)
  const [refused, bound] = [await exchange.pay(payer), await exchange.pay(payer)]
  const settled = await exchange.pay(wallet(1))
  for (const signed of [refused, bound]) {
    expect(await settle(signed)).toMatchObject({ errorReason: 'invalid_exact_evm_insufficient_balance' })
  }
  expect(await settle(settled)).toMatchObject({ success: true })
  await exchange.database.query(
    `insert into x402_facilitator.grant_binding (payment_key, operation, fingerprint, created_at)
     select key, 'x402Facilitator.decode', 'f', now() from x402_facilitator.payment where nonce = $1`,
    [nonceOf(bound)],
  )
  await forgetAfter(29)
  expect(await kept()).toEqual(expect.arrayContaining([refused, bound, settled].map(nonceOf)))
  await forgetAfter(31)
  expect(await kept()).not.toContain(nonceOf(refused))
  expect(await kept()).toEqual(expect.arrayContaining([bound, settled].map(nonceOf)))
  await exchange.fund(payer.address, 10_000n)
  expect(await settle(refused)).toMatchObject({ success: true })
  expect(await exchange.uses(refused)).toBe(1)
})
