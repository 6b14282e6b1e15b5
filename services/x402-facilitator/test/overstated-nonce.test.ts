import { x402Facilitator as operations } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { type Asked, type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'

const OVERSTATED = '0x3e8'

let exchange: Exchange
let proxy: RpcProxy

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  proxy = await rpcProxy(exchange.devnet.rpcUrl)
})
beforeEach(() => {
  proxy.lie = {}
})
afterAll(async () => {
  await proxy.close()
  await exchange.close()
})

/** Every other answer about an account overstates how many transactions it has sent, beginning with the first. */
function overstating(blockTag: 'latest' | 'pending') {
  const asked = new Map<string, number>()
  proxy.lie = {
    result({ method, params }: Asked, result) {
      const [account = '', tag] = (params ?? []) as string[]
      if (method !== 'eth_getTransactionCount' || tag !== blockTag) return result
      const times = (asked.get(account) ?? 0) + 1
      asked.set(account, times)
      return times % 2 === 1 ? OVERSTATED : result
    },
  }
  return asked
}

const nextNonces = async () =>
  (await exchange.database.query('select next_nonce from x402_facilitator.lane order by address')).map(
    ({ next_nonce }) => Number(next_nonce),
  )

test('an account that a node once says has sent more than it has settles payments', async () => {
  overstating('pending')
  const services = await exchange.start({ ...exchange.via(proxy.url), SETTLE_WAIT_MS: '3000' })
  expect(granted(await services.call(operations.settle, await exchange.pay(wallet(1))))).toMatchObject({
    success: true,
  })
  expect((await nextNonces()).toSorted()).toEqual([0, 1])
  await services.stop()
})

test('a payment on its way keeps its place where a node once says that its chain nonce is used', async () => {
  const services = await exchange.start({
    ...exchange.via(proxy.url),
    ...{ SETTLE_WAIT_MS: '500', RESEND_AFTER_MS: '60000', REPRICE_AFTER_MS: '60000' },
  })
  const signed = await exchange.pay(wallet(2))
  await exchange.node.setAutomine(false)
  try {
    expect(granted(await services.call(operations.settle, signed))).toMatchObject({ errorReason: 'settlement_pending' })
    await until('it is on its way', async () => (await exchange.rowOf(signed))?.state === 'broadcast')
    const { tx_hash, lane } = (await exchange.rowOf(signed)) ?? {}
    const before = await nextNonces()
    const asked = overstating('latest')
    await until('its account was asked about twice', () => [...asked.values()].some((times) => times >= 4), 20_000)
    expect(await exchange.rowOf(signed)).toMatchObject({ state: 'broadcast', tx_hash, lane })
    expect(await nextNonces()).toEqual(before)
  } finally {
    await exchange.node.setAutomine(true)
  }
  await exchange.node.mine({ blocks: 1 })
  await until('it is settled', async () => (await exchange.rowOf(signed))?.settled_tx)
  expect(await exchange.uses(signed)).toBe(1)
  await services.stop()
}, 40_000)
