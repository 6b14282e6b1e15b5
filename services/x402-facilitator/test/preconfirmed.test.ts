import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'

let exchange: Exchange
let proxy: RpcProxy
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: 1_000 })
  proxy = await rpcProxy(exchange.devnet.rpcUrl)
  services = await exchange.start({ ...exchange.via(proxy.url), RESEND_AFTER_MS: '500' })
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})

test('a pushed receipt whose block is replaced settles nothing; the transaction is sent again and then counts', async () => {
  const payTo = wallet(61).address
  const signed = await exchange.pay(wallet(1), { payTo })
  const preconfirmed: string[] = []
  proxy.lie = {
    async result({ method }, receipt) {
      const isPushed = method === 'eth_sendRawTransactionSync' && preconfirmed.length === 0
      if (!isPushed) return receipt
      preconfirmed.push((receipt as { blockHash: string }).blockHash)
      await exchange.node.setAutomine(false)
      await exchange.node.request({ method: 'anvil_reorg', params: [1, []] } as never)
      return receipt
    },
  }
  let isAnswered = false
  const settling = services.call(operations.settle, signed).finally(() => {
    isAnswered = true
  })
  const rowOf = async () => {
    const { nonce } = signed.paymentPayload.payload.authorization
    return (await exchange.database.query('select * from x402_facilitator.payment where nonce = $1', [nonce]))[0]
  }
  await until('it is known to be on its way', async () => (await rowOf())?.state === 'broadcast')
  expect([isAnswered, await exchange.balanceOf(payTo)]).toEqual([false, 0n])
  await exchange.node.setAutomine(true)

  const settled = granted(await settling)
  expect(settled).toMatchObject({ success: true })
  const row = await rowOf()
  expect(preconfirmed).not.toContain(row?.block_hash)
  expect((await exchange.node.getBlock({ blockNumber: BigInt(row?.block_number) })).hash).toBe(row?.block_hash)
  expect([await exchange.uses(signed), await exchange.balanceOf(payTo)]).toEqual([1, 10_000n])
})
