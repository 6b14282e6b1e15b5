import { x402Facilitator as operations } from '@callboard/contract'
import { openDatabase } from '@callboard/store'
import { granted, type TestServices, wallet } from '@callboard/testkit'
import {
  type ExactRequirements,
  encodeHeader,
  type PaymentRequired,
  requestFingerprint,
  type SettleResponse,
} from '@callboard/x402'
import { isPaymentRequiredV1, isPaymentRequiredV2 } from '@x402/core/schemas'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { paidForBalance } from '../src/store/grant.repository.ts'
import type { FacilitatorTables } from '../src/store/tables.ts'
import { DECODE_PAY_TO, type Exchange, openExchange, type Signed } from './exchange.ts'
import { openRpcProxy, type RpcProxy } from './rpc-proxy.ts'

const resourceUrl = 'https://callboard.example/x402/decode'
const terms = { amount: 1_000n, payTo: DECODE_PAY_TO }
const payer = wallet(1)
let exchange: Exchange
let proxy: RpcProxy
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { chainId: 84_532 })
  proxy = await openRpcProxy(exchange.devnet.rpcUrl)
  services = await exchange.start({ ...exchange.via(proxy.url), DECODE_V1: 'true', SETTLE_WAIT_MS: '1500' })
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})

type Body = { header: string } | { payload: Record<string, unknown> }

/** A buyer's input to the decoder: a payment of another payer. */
const question = async (): Promise<Body> => {
  const { paymentPayload } = await exchange.pay(wallet(2))
  return { payload: paymentPayload }
}

/** The request as the gateway passes it on: with the fingerprint of method, URL and body. */
const ask = (body: Body, payload?: Record<string, unknown>, x402Version: 1 | 2 = 2) =>
  services.call(operations.decode, body, {
    payment: payload && {
      payload,
      x402Version,
      resourceUrl,
      requestFingerprint: fingerprintOf(body),
    },
  })

const fingerprintOf = (body: Body) =>
  requestFingerprint({ method: 'POST', url: resourceUrl, body: new TextEncoder().encode(JSON.stringify(body)) })

async function offer(): Promise<PaymentRequired> {
  return granted(await services.call(operations.offer, { operation: operations.decode.id, resourceUrl }))
    .paymentRequired
}

/** A payment of our own offer: the accepted entry is the offered one. */
async function payment(extensions?: Record<string, unknown>, by = payer): Promise<Signed['paymentPayload']> {
  const { paymentPayload } = await exchange.pay(by, terms)
  const { accepts } = await offer()
  return { ...paymentPayload, accepted: accepts[0], ...(extensions ? { extensions } : {}) } as Signed['paymentPayload']
}

const withId = (id: string) => ({ 'payment-identifier': { info: { required: false, id } } })
const newId = () => `order-${crypto.randomUUID()}`
const uses = (payload: Signed['paymentPayload']) => exchange.uses({ paymentPayload: payload } as unknown as Signed)
const settlementOf = (answer: unknown) => {
  const { settlement } = answer as { settlement: SettleResponse }
  return settlement
}

describe('402 payment_required', () => {
  test('without a payment: returns the offer in both versions, as stock clients read it', async () => {
    const answer = await ask(await question())
    expect(answer).toMatchObject({ refusal: 'payment_required' })
    const { paymentRequired, v1 } = (answer as { details: Record<string, unknown> }).details
    expect(isPaymentRequiredV2(paymentRequired as never)).toBe(true)
    expect(isPaymentRequiredV1(v1 as never)).toBe(true)
    expect(paymentRequired).toMatchObject({
      resource: { url: resourceUrl },
      accepts: [{ scheme: 'exact', network: exchange.network, amount: '1000', payTo: DECODE_PAY_TO }],
      extensions: {
        'payment-identifier': { info: { required: false } },
        'builder-code': { info: { s: ['svc'] } },
      },
    })
    expect(v1).toMatchObject({ accepts: [{ network: 'base-sepolia', maxAmountRequired: '1000' }] })
  })

  test('No matching payment requirements: the payment accepts an entry that was never offered', async () => {
    const payload = await payment()
    const cheaper = { ...payload, accepted: { ...(payload.accepted as ExactRequirements), amount: '1' } }
    expect(await ask(await question(), cheaper)).toMatchObject({
      refusal: 'payment_required',
      details: { paymentRequired: { error: 'No matching payment requirements' } },
    })
  })

  test.each([
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      async () => (await exchange.pay(payer, { ...terms, amount: 999n })).paymentPayload,
    ],
    [
      'invalid_exact_evm_recipient_mismatch',
      async () => (await exchange.pay(payer, { amount: 1_000n })).paymentPayload,
    ],
    [
      'invalid_exact_evm_insufficient_balance',
      async () => (await exchange.pay(await exchange.funded(999n), terms)).paymentPayload,
    ],
  ])('%s: returns the failed settlement next to the offer', async (reason, sign) => {
    const payload = { ...(await sign()), accepted: (await offer()).accepts[0] }
    expect(await ask(await question(), payload)).toMatchObject({
      refusal: 'payment_required',
      details: {
        paymentRequired: { error: reason },
        settlement: { success: false, errorReason: reason },
      },
    })
  })

  test('extension_echo_mismatch: the payment changes what the offer said', async () => {
    const payload = await payment({ 'payment-identifier': { info: { required: true } } })
    expect(await ask(await question(), payload)).toMatchObject({
      details: { settlement: { errorReason: 'extension_echo_mismatch' } },
    })
  })
})

describe('a paid request', () => {
  test('200: returns the decoded payment and the settlement together', async () => {
    const body = await question()
    const answer = await ask(body, await payment())
    expect(answer).toEqual({
      result: {
        x402Version: 2,
        scheme: 'exact',
        network: exchange.network,
        asset: exchange.devnet.usdc.address,
        authorization: expect.objectContaining({ from: wallet(2).address, value: '10000' }),
        digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        recoveredSigner: wallet(2).address,
        secondsLeft: expect.any(Number),
        extensions: null,
        findings: [],
      },
      settlement: expect.objectContaining({ success: true, payer: payer.address, amount: '1000' }),
    })
  })

  test('200: a header is read like the payload it carries', async () => {
    const { payload } = (await question()) as { payload: Record<string, unknown> }
    expect(await ask({ header: encodeHeader(payload) }, await payment())).toMatchObject({
      result: { recoveredSigner: wallet(2).address },
    })
  })

  test('200: a version 1 payment is settled and answered in version 1', async () => {
    const { paymentPayload } = await exchange.pay(payer, terms)
    const payload = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: paymentPayload.payload }
    expect(await ask(await question(), payload, 1)).toMatchObject({
      settlement: { success: true, network: 'base-sepolia' },
    })
  })

  test('200, the stored answer: the same payment for the same request, even 20 times at once', async () => {
    const [body, payload] = [await question(), await payment()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(body, payload)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(settlementOf(answers[0])).toMatchObject({ success: true })
    expect(await ask(body, payload)).toEqual(answers[0])
    expect(await uses(payload)).toBe(1)
  })

  test('200: text that Postgres cannot hold is decoded, and stored for a repeat', async () => {
    const { paymentPayload } = await exchange.pay(wallet(2), {}, { extensions: { note: 'a\u0000b' } })
    const payload = await payment()
    const answer = await ask({ payload: paymentPayload }, payload)
    expect(answer).toMatchObject({ result: { extensions: { note: 'a\u0000b' } } })
    expect(await ask({ payload: paymentPayload }, payload)).toEqual(answer)
  })

  test('409 payment_conflict: the same payment for another request', async () => {
    const payload = await payment()
    expect(settlementOf(await ask(await question(), payload))).toMatchObject({ success: true })
    expect(await ask(await question(), payload)).toMatchObject({ refusal: 'payment_conflict' })
  })

  test('400 invalid_request: input that cannot be decoded is refused before anything is charged', async () => {
    const payload = await payment()
    expect(await ask({ header: 'not base64!' }, payload)).toMatchObject({ refusal: 'invalid_request', field: 'header' })
    expect(await ask({ payload: { x402Version: 2 } }, payload)).toMatchObject({ refusal: 'invalid_request' })
    expect(await uses(payload)).toBe(0)
  })
})

describe('payment-identifier', () => {
  test('200, the cached answer: the same identifier and request with a new authorization, which is not settled', async () => {
    const [body, id] = [await question(), newId()]
    const first = await ask(body, await payment(withId(id)))
    const again = await payment(withId(id))
    expect(await ask(body, again)).toEqual(first)
    expect(await uses(again)).toBe(0)
  })

  test('409 payment_conflict: the same identifier for another request, which is not settled', async () => {
    const id = newId()
    await ask(await question(), await payment(withId(id)))
    const other = await payment(withId(id))
    expect(await ask(await question(), other)).toMatchObject({ refusal: 'payment_conflict' })
    expect(await uses(other)).toBe(0)
  })

  test('409 payment_conflict: an identifier sent with a payment for another request is not bound to it', async () => {
    const [body, id, spent] = [await question(), newId(), await payment()]
    const bought = await ask(await question(), spent)
    expect(await ask(body, { ...spent, extensions: withId(id) })).toMatchObject({ refusal: 'payment_conflict' })
    const fresh = await payment(withId(id))
    expect(settlementOf(await ask(body, fresh)).transaction).not.toBe(settlementOf(bought).transaction)
    expect(await uses(fresh)).toBe(1)
  })

  test('an identifier that the previous release bound to a payment for another request is unbound, and names no owner', async () => {
    const [body, id, spent] = [await question(), newId(), await payment()]
    const bought = await ask(await question(), spent)
    const { nonce } = spent.payload.authorization
    const fresh = await payment(withId(id))
    const requested = fingerprintOf(body)
    for (const owner of ['', wallet(3).address.toLowerCase()])
      await exchange.database.query(
        `insert into x402_facilitator.purchase_identifier (operation, payer, owner, id, fingerprint, payment_key, created_at)
         select $1, lower(payer), $2, $3, $4, key, now() from x402_facilitator.payment where nonce = $5`,
        [operations.decode.id, owner, id, requested, nonce],
      )
    const { db, close } = openDatabase<FacilitatorTables>({
      ...{ url: exchange.database.url, schema: 'x402_facilitator', maxConnections: 1 },
      onError: () => {},
    })
    const sold = await paidForBalance(db, { payTo: DECODE_PAY_TO, from: new Date(0), operation: operations.decode.id })
    await close()
    const { transaction } = settlementOf(bought)
    expect(sold.filter(({ settled_tx }) => settled_tx === transaction).map(({ owner }) => owner)).toEqual([null])
    expect(settlementOf(await ask(body, fresh)).transaction).not.toBe(transaction)
    expect(await uses(fresh)).toBe(1)
  })

  test('two authorizations under one identifier at once: one is settled, and both get its answer', async () => {
    const [body, id] = [await question(), newId()]
    const both = [await payment(withId(id)), await payment(withId(id))]
    const answers = await Promise.all(both.map((payload) => ask(body, payload)))
    expect(answers[0]).toEqual(answers[1])
    expect((await Promise.all(both.map(uses))).sort()).toEqual([0, 1])
  })

  test('an identifier whose payment failed can be used for the next one', async () => {
    const [body, id] = [await question(), newId()]
    const poor = await exchange.funded(1n)
    expect(await ask(body, await payment(withId(id), poor))).toMatchObject({ refusal: 'payment_required' })
    await exchange.fund(poor.address, terms.amount)
    expect(settlementOf(await ask(body, await payment(withId(id), poor)))).toMatchObject({ success: true })
  })

  test('503 settlement_pending: an identifier whose transaction failed stays with its payment, which may still settle', async () => {
    const [body, id] = [await question(), newId()]
    const poor = await exchange.funded(terms.amount)
    const first = await payment(withId(id), poor)
    await exchange.node.setAutomine(false)
    try {
      const asking = ask(body, first)
      await exchange.isSent()
      await exchange.submitDear(await exchange.pay(poor, { amount: terms.amount, payTo: wallet(3).address }))
      await exchange.node.mine({ blocks: 1 })
      expect(await asking).toMatchObject({ refusal: 'settlement_pending' })
    } finally {
      await exchange.node.setAutomine(true)
    }
    await exchange.fund(poor.address, 2n * terms.amount)
    const next = await payment(withId(id), poor)
    expect(await ask(body, next)).toMatchObject({ refusal: 'settlement_pending' })
    const transaction = await exchange.submit({ paymentPayload: first } as unknown as Signed)
    expect(settlementOf(await ask(body, next))).toMatchObject({ success: true, transaction })
    expect([await uses(first), await uses(next)]).toEqual([1, 0])
  })

  test('another payer’s purchase under the same identifier and body is separate, and never gets the stored answer', async () => {
    const [body, id] = [await question(), newId()]
    const first = await ask(body, await payment(withId(id)))
    const theirs = await payment(withId(id), wallet(3))
    const second = await ask(body, theirs)
    expect(settlementOf(second)).toMatchObject({ success: true, payer: wallet(3).address })
    expect(settlementOf(second).transaction).not.toBe(settlementOf(first).transaction)
    expect(await uses(theirs)).toBe(1)
    const unpaid = await exchange.funded(1n)
    expect(await ask(body, await payment(withId(id), unpaid))).toMatchObject({ refusal: 'payment_required' })
  })

  test('a payer can use an identifier that another payer used first', async () => {
    const id = newId()
    await ask(await question(), await payment(withId(id), wallet(3)))
    const [body, mine] = [await question(), await payment(withId(id))]
    expect(settlementOf(await ask(body, mine))).toMatchObject({ success: true, payer: payer.address })
  })

  test('an identifier that a replica of the previous release recorded belongs to its payer', async () => {
    const [body, id] = [await question(), newId()]
    const before = await payment(withId(id))
    const first = await ask(body, before)
    await exchange.database.query(`delete from x402_facilitator.purchase_identifier where id = $1`, [id])
    await exchange.database.query(
      `insert into x402_facilitator.payment_identifier (operation, id, fingerprint, payment_key, created_at)
        select operation, $1, fingerprint, payment_key, created_at from x402_facilitator.grant_binding
        where payment_key like '%' || $2`,
      [id, before.payload.authorization.nonce],
    )
    expect(await ask(body, await payment(withId(id)))).toEqual(first)
    expect(settlementOf(await ask(body, await payment(withId(id), wallet(3))))).toMatchObject({
      payer: wallet(3).address,
    })
  })

  test('400 invalid_request: an invalid identifier', async () => {
    expect(await ask(await question(), await payment(withId('short')))).toMatchObject({ refusal: 'invalid_request' })
  })
})

describe('503', () => {
  test('settlement_pending with the settlement while no block comes, and the same request gets its answer later', async () => {
    const [body, payload] = [await question(), await payment()]
    await exchange.node.setAutomine(false)
    try {
      expect(await ask(body, payload)).toMatchObject({
        refusal: 'settlement_pending',
        retryAfterSeconds: 2,
        details: {
          settlement: { success: false, errorReason: 'settlement_pending', transaction: expect.stringMatching(/^0x/) },
        },
      })
      await exchange.node.mine({ blocks: 1 })
    } finally {
      await exchange.node.setAutomine(true)
    }
    expect(settlementOf(await ask(body, payload))).toMatchObject({ success: true })
    expect(await uses(payload)).toBe(1)
  })

  test('temporarily_unavailable while the chain is unavailable, with nothing settled', async () => {
    const [body, payload] = [await question(), await payment()]
    proxy.cut()
    expect(await ask(body, payload)).toMatchObject({ refusal: 'temporarily_unavailable' })
    proxy.restore()
    expect(settlementOf(await ask(body, payload))).toMatchObject({ success: true })
  })
})
