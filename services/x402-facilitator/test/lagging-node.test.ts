import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { type Asked, type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'

/** Selector of `authorizationState`. */
const AUTHORIZATION_STATE = '0xe94a0102'

let exchange: Exchange
let proxy: RpcProxy
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: 6 })
  proxy = await rpcProxy(exchange.devnet.rpcUrl)
  services = await exchange.start({ ...exchange.via(proxy.url), SETTLE_WAIT_MS: '1000' })
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})

test('a payment stays settled while a node does not have its block yet that another one behind the same URL has', async () => {
  const signed = await exchange.pay(wallet(1))
  const settled = await services.call(operations.settle, signed)
  expect(settled).toMatchObject({ success: true })
  const { block_number: number } = (await exchange.rowOf(signed)) ?? {}
  const block = `0x${Number(number).toString(16)}`
  let looks = 0
  proxy.lie = {
    result({ method, params }, result) {
      if (method !== 'eth_getBlockByNumber' || params[0] !== block) return result
      looks += 1
      return null
    },
  }
  await until('its block was looked for twice', () => looks > 1)
  expect(await services.call(operations.settle, signed)).toEqual(settled)
  expect(await exchange.rowOf(signed)).toMatchObject({ state: 'mined' })
}, 30_000)

test('a payment that a third party submits while we read its payer’s state is settled, and not refused for the money that moved', async () => {
  const payer = await exchange.funded(10_000n)
  const signed = await exchange.pay(payer)
  const foreign = await exchange.submit(signed)
  let isBefore = true
  proxy.lie = {
    result({ method, params }, result) {
      if (method !== 'eth_call' || !isBefore) return result
      const [{ data = '' }] = params as [{ data?: string }]
      if (!data.startsWith(AUTHORIZATION_STATE)) return result
      isBefore = false
      return `0x${'0'.repeat(64)}`
    },
  }
  expect(await services.call(operations.settle, signed)).toMatchObject({ success: true, transaction: foreign })
  expect(isBefore).toBe(false)
})

test('our own transaction is not taken for a third party’s where a late node does not show it, and another its chain nonce', async () => {
  const signed = await exchange.pay(wallet(1))
  await exchange.node.setAutomine(false)
  const refusal = ({ method }: Asked) => (method === 'eth_sendRawTransactionSync' ? 'not waited for' : undefined)
  proxy.lie = { refusal }
  const { transaction } = granted(await services.call(operations.settle, signed))
  proxy.lie = {
    refusal,
    result({ method, params }, result) {
      if (method === 'eth_getTransactionReceipt') return null
      const [call] = (params ?? []) as [{ data?: string }?]
      return method === 'eth_call' && call?.data?.startsWith(AUTHORIZATION_STATE) ? `0x${'0'.repeat(64)}` : result
    },
  }
  await exchange.node.mine({ blocks: 1 })
  await until('its chain nonce counts as lost', async () => (await exchange.rowOf(signed))?.tx_hash === null)
  proxy.lie = {}
  await exchange.node.setAutomine(true)
  await until('it is settled', async () => (await exchange.rowOf(signed))?.state === 'mined')
  expect(await exchange.rowOf(signed)).toMatchObject({ settled_tx: transaction, is_foreign: false })
}, 30_000)
