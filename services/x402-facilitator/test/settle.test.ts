import { type FacilitatorRequest, x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { parseBuilderCodeSuffix, type SettleResponse } from '@callboard/x402'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, newNonce, openExchange, type Signed } from './exchange.ts'
import { openRpcProxy, type RpcProxy } from './rpc-proxy.ts'

let exchange: Exchange
let proxy: RpcProxy
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { chainId: 84_532 })
  proxy = await openRpcProxy(exchange.devnet.rpcUrl)
  services = await exchange.start({ ...exchange.via(proxy.url), FACILITATOR_BUILDER_CODE: 'callboard' })
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})

async function settle(request: FacilitatorRequest): Promise<SettleResponse> {
  return granted(await services.call(operations.settle, request))
}

const rows = (text: string, values: unknown[] = []) => exchange.database.query(text, values)
const nonceOf = (signed: Signed) => signed.paymentPayload.payload.authorization.nonce

async function transactionsFor(signed: Signed): Promise<number> {
  const [row] = await rows(
    `select count(*)::int as n from x402_facilitator.transaction join x402_facilitator.leg using (network, lane, chain_nonce)
      where leg.payment_key like '%' || $1`,
    [nonceOf(signed)],
  )
  return row?.n
}

describe('a good payment', () => {
  test('success: the money moves and the answer names the transaction', async () => {
    const payTo = wallet(50).address
    const signed = await exchange.pay(wallet(1), { payTo })
    expect(await settle(signed)).toEqual({
      success: true,
      payer: wallet(1).address,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: exchange.network,
      amount: '10000',
      extra: { confirmation: { policy: 'included', reached: 'finalized' } },
    })
    expect(await exchange.balanceOf(payTo)).toBe(10_000n)
  })

  test('50 parallel settles of one payment: one transaction, 50 equal answers', async () => {
    const signed = await exchange.pay(wallet(2))
    const answers = await Promise.all(Array.from({ length: 50 }, () => settle(signed)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ success: true })
    expect(await transactionsFor(signed)).toBe(1)
    expect(await exchange.uses(signed)).toBe(1)
  })

  test('60 parallel payments of 60 payers: 60 settled, no chain nonce used twice', async () => {
    const payers = await Promise.all(Array.from({ length: 60 }, (_, index) => wallet(200 + index)))
    for (const { address } of payers) await exchange.fund(address, 10_000n)
    const signed = await Promise.all(payers.map((payer) => exchange.pay(payer)))
    const answers = await Promise.all(signed.map(settle))
    expect(answers.filter(({ success }) => success)).toHaveLength(60)
    const doubles = await rows(
      `select lane, chain_nonce from x402_facilitator.transaction group by lane, chain_nonce having count(*) > 1`,
    )
    expect(doubles).toEqual([])
  })

  test('success: an authorization whose window opened in this very second, in which the token accepts none', async () => {
    const signed = await exchange.pay(wallet(3), { validAfter: Math.floor(Date.now() / 1_000) })
    expect(await settle(signed)).toMatchObject({ success: true })
    expect(await transactionsFor(signed)).toBe(1)
  })

  test('success: a contract wallet pays by EIP-1271, with a signature of its own length', async () => {
    const account = await exchange.deployWallet(wallet(2).address)
    await exchange.fund(account, 10_000n)
    const signed = await exchange.pay(wallet(2), {}, { from: account })
    expect(await settle(signed)).toMatchObject({ success: true, payer: account })
    expect(await settle(signed)).toMatchObject({ success: true, payer: account })
  })

  test('success: a version 1 payment is answered with the network’s name', async () => {
    const { paymentPayload, paymentRequirements } = await exchange.pay(wallet(1))
    const { amount, ...requirement } = paymentRequirements
    const answer = await settle({
      x402Version: 1,
      paymentPayload: { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: paymentPayload.payload },
      paymentRequirements: { ...requirement, network: 'base-sepolia', maxAmountRequired: amount },
    })
    expect(answer).toMatchObject({ success: true, network: 'base-sepolia' })
  })

  test('the builder codes of a payment, with our own, end the calldata of its transaction', async () => {
    const signed = await exchange.pay(
      wallet(1),
      {},
      { extensions: { 'builder-code': { info: { s: ['svc', 'cli'] } } } },
    )
    const { transaction } = await settle(signed)
    const { input } = await exchange.node.getTransaction({ hash: transaction as `0x${string}` })
    expect(parseBuilderCodeSuffix(input)).toEqual({ w: 'callboard', s: ['svc', 'cli'] })
  })

  test('success: text in the payment that Postgres cannot hold does not prevent settlement', async () => {
    const poison = 'a\u0000b\ud800'
    const { paymentPayload, ...rest } = await exchange.pay(wallet(1), {}, { extensions: { [poison]: poison } })
    const resource = { url: `https://api.example/${poison}`, description: poison, mimeType: poison }
    expect(await settle({ ...rest, paymentPayload: { ...paymentPayload, resource } })).toMatchObject({ success: true })
  })

  test('payment.settled is published once, in the transaction that stores the success', async () => {
    const signed = await exchange.pay(wallet(1))
    const { transaction } = await settle(signed)
    await settle(signed)
    const events = await rows(`select data from x402_facilitator.outbox where key = $1`, [nonceOf(signed)])
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({
        network: exchange.network,
        payer: wallet(1).address,
        amount: '10000',
        txHash: transaction,
        foreign: false,
        resourceUrl: 'https://api.example/weather',
      }),
    ])
  })
})

describe('a payment that is presented again', () => {
  test('gets its stored success, even when its window is over by then', async () => {
    const signed = await exchange.pay(wallet(1), { validBefore: Math.floor(Date.now() / 1000) + 7 })
    const first = await settle(signed)
    expect(first).toMatchObject({ success: true })
    const isOver = async () => !granted(await services.call(operations.verify, signed)).isValid
    await until('its window is over', isOver)
    expect(await settle(signed)).toEqual(first)
  })

  test('invalid_exact_evm_signature: a settled payment with a malleated signature gets no second success', async () => {
    const signed = await exchange.pay(wallet(1))
    await settle(signed)
    const { payload } = signed.paymentPayload
    const s =
      0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n -
      BigInt(`0x${payload.signature.slice(66, 130)}`)
    const malleated = `${payload.signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${payload.signature.endsWith('1b') ? '1c' : '1b'}`
    const request = {
      ...signed,
      paymentPayload: { ...signed.paymentPayload, payload: { ...payload, signature: malleated } },
    }
    expect(await settle(request)).toMatchObject({ success: false, errorReason: 'invalid_exact_evm_signature' })
  })

  test('invalid_exact_evm_nonce_already_used: another authorization under the nonce of a settled one', async () => {
    const nonce = newNonce()
    expect(await settle(await exchange.pay(wallet(1), { nonce }))).toMatchObject({ success: true })
    const other = await exchange.pay(wallet(1), { nonce, payTo: wallet(3).address })
    expect(await settle(other)).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_nonce_already_used',
    })
  })

  test('a third party that knows the nonce but not the key claims nothing', async () => {
    const signed = await exchange.pay(wallet(1))
    const forged = await exchange.pay(wallet(3), { nonce: nonceOf(signed) }, { from: wallet(1).address })
    expect(await settle(forged)).toMatchObject({ success: false, errorReason: 'invalid_exact_evm_signature' })
    expect(await settle(signed)).toMatchObject({ success: true })
  })

  test('a refused payment can be presented again once its payer has the money', async () => {
    const payer = await exchange.funded(9_999n)
    const signed = await exchange.pay(payer)
    expect(await settle(signed)).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_insufficient_balance',
      transaction: '',
    })
    await exchange.fund(payer.address, 1n)
    expect(await settle(signed)).toMatchObject({ success: true })
  })
})

describe('an authorization that a third party submits', () => {
  test('success with the third party’s transaction: the money moved as required', async () => {
    const signed = await exchange.pay(wallet(2))
    const foreign = await exchange.submit(signed)
    expect(await settle(signed)).toMatchObject({ success: true, transaction: foreign })
    const [event] = await rows(`select data from x402_facilitator.outbox where key = $1`, [nonceOf(signed)])
    expect(event?.data).toMatchObject({ foreign: true, txHash: foreign })
    expect(await transactionsFor(signed)).toBe(0)
  })

  test('settlement_pending while no node shows the use that the token reports, and success once one does', async () => {
    const hasty = await exchange.start({ ...exchange.via(proxy.url), SETTLE_WAIT_MS: '500' })
    const signed = await exchange.pay(wallet(2))
    const foreign = await exchange.submit(signed)
    proxy.lie('eth_getLogs', [])
    try {
      expect(await hasty.call(operations.settle, signed)).toMatchObject({ errorReason: 'settlement_pending' })
    } finally {
      proxy.restore()
    }
    expect(await settle(signed)).toMatchObject({ success: true, transaction: foreign })
    await hasty.stop()
  })

  test('success: a third party runs ahead of our transaction, which then reverts', async () => {
    const signed = await exchange.pay(wallet(2))
    await exchange.node.setAutomine(false)
    try {
      const settling = settle(signed)
      await exchange.isSent()
      const foreign = await exchange.submitDear(signed)
      await exchange.node.mine({ blocks: 1 })
      expect(await settling).toMatchObject({ success: true, transaction: foreign })
      expect(await exchange.uses(signed)).toBe(1)
      expect(await transactionsFor(signed)).toBe(1)
    } finally {
      await exchange.node.setAutomine(true)
    }
  })

  test('invalid_exact_evm_nonce_already_used: it paid another payee', async () => {
    const nonce = newNonce()
    await exchange.submit(await exchange.pay(wallet(2), { nonce, payTo: wallet(3).address }))
    expect(await settle(await exchange.pay(wallet(2), { nonce }))).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_nonce_already_used',
    })
  })

  test('invalid_exact_evm_nonce_already_used: the payer cancelled it', async () => {
    const signed = await exchange.pay(wallet(2))
    await exchange.cancel(wallet(2), nonceOf(signed))
    expect(await settle(signed)).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_nonce_already_used',
      transaction: '',
    })
  })
})

describe('two payments of one payer with the balance of one', () => {
  test('one is settled, and the other is refused without spending gas', async () => {
    const payer = await exchange.funded(10_000n)
    const both = [await exchange.pay(payer), await exchange.pay(payer)]
    const answers = await Promise.all(both.map(settle))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.filter(({ errorReason }) => errorReason === 'invalid_exact_evm_insufficient_balance')).toHaveLength(
      1,
    )
    const sent = await Promise.all(both.map(transactionsFor))
    expect(sent.sort()).toEqual([0, 1])
  })

  test('settlement_pending: the payer moves the money away after verification, and can bring it back', async () => {
    const payer = await exchange.funded(10_000n)
    const signed = await exchange.pay(payer)
    await exchange.node.setAutomine(false)
    try {
      const settling = settle(signed)
      await exchange.isSent()
      await exchange.submitDear(await exchange.pay(payer, { payTo: wallet(3).address }))
      await exchange.node.mine({ blocks: 1 })
      expect(await settling).toMatchObject({
        success: false,
        errorReason: 'settlement_pending',
        errorMessage: expect.stringContaining('The transaction failed'),
        transaction: expect.stringMatching(/^0x/),
      })
    } finally {
      await exchange.node.setAutomine(true)
    }
  })
})

describe('a payer that makes us pay gas for nothing', () => {
  test('429 gas_budget_spent, with nothing sent and nothing stored, after as many reverts as the setting allows', async () => {
    const strict = await exchange.start({ ...exchange.via(proxy.url), EXPOSURE_START: '2' })
    const payer = await exchange.funded(10_000n)
    const steal = async () => {
      await exchange.node.setAutomine(false)
      const settling = strict.call(operations.settle, await exchange.pay(payer))
      await exchange.isSent()
      await exchange.submitDear(await exchange.pay(payer, { payTo: wallet(3).address }))
      await exchange.node.mine({ blocks: 1 })
      await exchange.node.setAutomine(true)
      expect(await settling).toMatchObject({ errorReason: 'settlement_pending' })
      await exchange.fund(payer.address, 10_000n)
    }
    await steal()
    await steal()
    const third = await exchange.pay(payer)
    const refusal = { refusal: 'gas_budget_spent', details: { scope: 'payer' }, retryAfterSeconds: expect.any(Number) }
    expect(await strict.call(operations.settle, third)).toMatchObject(refusal)
    expect(await transactionsFor(third)).toBe(0)
    expect(await rows('select 1 from x402_facilitator.payment where nonce = $1', [nonceOf(third)])).toEqual([])
    await strict.stop()
  })
})

describe('a chain that is unavailable', () => {
  test('503 temporarily_unavailable before anything is signed, and the key stays free', async () => {
    const signed = await exchange.pay(wallet(1))
    const { asset, network } = signed.paymentRequirements
    const { from, nonce } = signed.paymentPayload.payload.authorization
    const identity = { network, asset, from, nonce } as Parameters<typeof services.call<typeof operations.status>>[1]
    proxy.cut()
    try {
      expect(await services.call(operations.settle, signed)).toMatchObject({ refusal: 'temporarily_unavailable' })
      expect(await services.call(operations.status, identity)).toEqual({ state: 'absent', settlement: null })
    } finally {
      proxy.restore()
    }
    expect(await settle(signed)).toMatchObject({ success: true })
    expect(await services.call(operations.status, identity)).toMatchObject({
      state: 'settled',
      settlement: { success: true },
    })
  })
})

describe('a request whose content is not a payment', () => {
  test.each([
    ['invalid_payload', { x402Version: 2 }, {}],
    ['invalid_x402_version', { x402Version: 7 }, {}],
  ])('%s is an answer, and nothing is settled', async (errorReason, paymentPayload, paymentRequirements) => {
    expect(await settle({ x402Version: 2, paymentPayload, paymentRequirements })).toEqual({
      success: false,
      errorReason,
      transaction: '',
      network: '',
    })
  })
})
