import { x402Facilitator as operations, router } from '@callboard/contract'
import { granted, type TestServices, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { DECODE_PAY_TO, type Exchange, openExchange, type Signed } from './exchange.ts'

const resourceUrl = 'https://callboard.example/v1/chat/completions'
const requestFingerprint = `0x${'5e'.repeat(32)}`
const owner = wallet(3).address
let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { chainId: 84_532 })
  services = await exchange.start()
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

type Usd = '1' | '5'

/** Presents a payment of this price for the same request, by default a new one, under an identifier. */
async function present(payer: Awaited<ReturnType<Exchange['funded']>>, priceUsd: Usd, id: string, again?: Signed) {
  const { paymentRequired } = granted(
    await services.call(operations.offer, { operation: router.topUp.id, resourceUrl, priceUsd }),
  )
  const terms = { amount: BigInt(priceUsd) * 1_000_000n, payTo: DECODE_PAY_TO }
  const signed = again ?? (await exchange.pay(payer, terms))
  const payload = {
    ...signed.paymentPayload,
    accepted: paymentRequired.accepts[0],
    extensions: { 'payment-identifier': { info: { required: false, id } } },
  }
  const answer = await services.call(
    operations.purchase,
    { operation: router.topUp.id, owner, description: 'Balance', priceUsd },
    { payment: { payload, x402Version: 2, resourceUrl, requestFingerprint } },
  )
  return { signed, answer }
}

test('409 payment_conflict: an identifier that paid one price buys nothing at another', async () => {
  const payer = await exchange.funded(20_000_000n)
  const small = await present(payer, '1', 'one-of-two-prices')
  expect(small.answer).toMatchObject({ settlement: { success: true, amount: '1000000' } })
  const dear = await present(payer, '5', 'one-of-two-prices')
  expect(dear.answer).toMatchObject({ refusal: 'payment_conflict' })
  expect(await exchange.uses(dear.signed)).toBe(0)
})

test('a second payment at the same price gets the answer of the first, and is not settled', async () => {
  const payer = await exchange.funded(20_000_000n)
  const first = await present(payer, '5', 'twice-the-same-price')
  const second = await present(payer, '5', 'twice-the-same-price')
  expect(second.answer).toEqual(first.answer)
  expect(await exchange.uses(second.signed)).toBe(0)
})

test('one payment has no more than 16 identifiers, however many it is presented under, and each gets its answer', async () => {
  const payer = await exchange.funded(20_000_000n)
  const { signed, answer } = await present(payer, '1', 'identifier-number-0')
  for (let number = 1; number < 20; number++) {
    expect((await present(payer, '1', `identifier-number-${number}`, signed)).answer).toEqual(answer)
  }
  const stored = await exchange.database.query(
    "select count(*)::int as count from x402_facilitator.purchase_identifier where id like 'identifier-number-%'",
  )
  expect(stored).toEqual([{ count: 16 }])
  const second = await present(payer, '1', 'identifier-number-15')
  expect([second.answer, await exchange.uses(second.signed)]).toEqual([answer, 0])
})
