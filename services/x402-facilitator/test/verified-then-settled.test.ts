import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Exchange, openExchange, type Signed } from './exchange.ts'
import { openRpcProxy, type RpcProxy } from './rpc-proxy.ts'

let exchange: Exchange
let proxy: RpcProxy
let services: TestServices
let asked = 0

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  proxy = await openRpcProxy(exchange.devnet.rpcUrl)
  services = await exchange.start(exchange.via(proxy.url))
  // One-time chain queries have been made by then.
  await settle(await exchange.pay(wallet(1)))
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})
beforeEach(() => {
  asked = proxy.seen.length
})

const verify = async (signed: Signed) => granted(await services.call(operations.verify, signed))
const settle = async (signed: Signed) => granted(await services.call(operations.settle, signed))

/** How many requests to the node named a method since the test began. */
const requests = (method: string) => proxy.seen.slice(asked).filter((methods) => methods.includes(method)).length

const withSignature = (signed: Signed, signature: `0x${string}`): Signed => ({
  ...signed,
  paymentPayload: { ...signed.paymentPayload, payload: { ...signed.paymentPayload.payload, signature } },
})

describe('a payment that is verified and then settled', () => {
  test('is simulated on the token once and sent once', async () => {
    const signed = await exchange.pay(wallet(1))
    expect(await verify(signed)).toMatchObject({ isValid: true })
    expect(await settle(signed)).toMatchObject({ success: true })
    expect(['eth_call', 'eth_sendRawTransactionSync', 'eth_sendRawTransaction'].map(requests)).toEqual([1, 1, 0])
  })

  test('is settled by the receipt that sending returns, without asking the node for it', async () => {
    const signed = await exchange.pay(wallet(1))
    await verify(signed)
    proxy.lie('eth_getTransactionReceipt', null)
    try {
      expect(await settle(signed)).toMatchObject({ success: true })
    } finally {
      proxy.restore()
    }
  })

  test('does not vouch for another payment of its payer, which is simulated itself', async () => {
    const [first, second] = [await exchange.pay(wallet(2)), await exchange.pay(wallet(2))]
    await verify(first)
    expect(await settle(second)).toMatchObject({ success: true })
    expect(requests('eth_call')).toBe(2)
  })

  test('error: another signature under the same authorization is refused as not the payer’s', async () => {
    const signed = await exchange.pay(wallet(1))
    await verify(signed)
    const { signature } = (await exchange.pay(wallet(3))).paymentPayload.payload
    const forged = { success: false, errorReason: 'invalid_exact_evm_signature' }
    expect(await settle(withSignature(signed, signature))).toMatchObject(forged)
    expect(await settle(signed)).toMatchObject({ success: true })
  })

  test('error: the payer moved the money meanwhile, so nothing is paid, and the gas counts against the payer', async () => {
    const payer = await exchange.funded(10_000n)
    const signed = await exchange.pay(payer)
    await verify(signed)
    await exchange.submit(await exchange.pay(payer, { payTo: wallet(3).address }))
    const open = { success: false, errorReason: 'settlement_pending' }
    expect(await settle(signed)).toMatchObject({ ...open, transaction: expect.stringMatching(/^0x/) })
    const [{ wasted }] = (await exchange.database.query(
      `select sum(wasted)::int as wasted from x402_facilitator.gas_spent where scope = 'new_payers'`,
    )) as [{ wasted: number }]
    expect(wasted).toBeGreaterThan(0)
  })

  test('a payer with code is simulated again, because its verdict may have changed', async () => {
    const owner = wallet(4)
    const account = await exchange.deployWallet(owner.address)
    await exchange.fund(account, 20_000n)
    const signed = await exchange.pay(owner, {}, { from: account })
    expect(await verify(signed)).toMatchObject({ isValid: true })
    const before = requests('eth_call')
    expect(await settle(signed)).toMatchObject({ success: true })
    expect(requests('eth_call')).toBeGreaterThan(before)
  })
})
