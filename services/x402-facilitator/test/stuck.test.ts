import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'

let exchange: Exchange
let proxy: RpcProxy
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  proxy = await rpcProxy(exchange.devnet.rpcUrl)
  services = await exchange.start({ ...exchange.via(proxy.url), SETTLE_WAIT_MS: '1000' })
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})

test('a payment stuck for long is checked less often, and settled when its block comes', async () => {
  await exchange.node.setAutomine(false)
  const signed = await exchange.pay(wallet(1))
  expect(await services.call(operations.settle, signed)).toMatchObject({ errorReason: 'settlement_pending' })
  await until('it is sent', async () => {
    const [row] = await exchange.database.query("select 1 from x402_facilitator.payment where state = 'broadcast'")
    return row
  })
  await exchange.database.query("update x402_facilitator.payment set updated_at = now() - interval '1 hour'")
  const rests = () =>
    exchange.database.query(
      "select 1 from x402_facilitator.payment where state = 'broadcast' and lease_until > now() + interval '6 seconds'",
    )
  await until('it is left alone for longer than a lease', async () => (await rests()).length === 1)

  const [sent] = await exchange.database.query<{ tx_hash: string }>('select tx_hash from x402_facilitator.payment')
  const asked = () =>
    proxy.asked.filter(({ method, params }) => method === 'eth_getTransactionReceipt' && params[0] === sent?.tx_hash)
  const before = asked().length
  expect(before).toBeGreaterThan(0)
  const { node } = exchange
  const other = await exchange.pay(wallet(2))
  const settled = services.call(operations.settle, other)
  await until('another payment is sent', async () => (await node.getTxpoolStatus()).pending > 1)
  expect(asked()).toHaveLength(before)
  await node.mine({ blocks: 1 })
  expect(granted(await settled)).toMatchObject({ success: true })
  // The caller is not kept waiting.
  expect(granted(await services.call(operations.settle, signed))).toMatchObject({ success: true })
  await node.setAutomine(true)
})
