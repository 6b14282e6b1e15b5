import { x402Facilitator as operations } from '@callboard/contract'
import { startTestServices, type TestServices, wallet } from '@callboard/testkit'
import { type Asked, type Lie, type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { DAY_MS, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FacilitatorContext } from '../src/context.ts'
import { x402Facilitator } from '../src/index.ts'
import { SEARCHES } from '../src/settlement/search-rate.ts'
import { type Exchange, openExchange, type Signed } from './exchange.ts'

/** More than the blocks in which a use is searched for, however old its payment. */
const LONG_AGO = 300_000
const USED = { success: false, errorReason: 'invalid_exact_evm_nonce_already_used' }

/** The chain is that much longer, and its newest blocks have no logs. */
const olderByBlocks = ({ method }: Asked, result: unknown) =>
  method === 'eth_blockNumber' ? `0x${(Number(result) + LONG_AGO).toString(16)}` : result
const withoutLogs: Lie['http'] = (asked, res) => {
  if (asked.some(({ method }) => method !== 'eth_getLogs')) return false
  const answers = (asked as (Asked & { id: number })[]).map(({ id }) => ({ jsonrpc: '2.0', id, result: [] }))
  res.setHeader('content-type', 'application/json').end(JSON.stringify(asked.length === 1 ? answers[0] : answers))
  return true
}

let exchange: Exchange
let proxy: RpcProxy
let services: TestServices
/** Authorizations that were used long ago: one whose window is over, and one whose window is open. */
let over: Signed
let open: Signed

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  proxy = await rpcProxy(exchange.devnet.rpcUrl)
  const clock = { now: () => Date.now() + 10 * MINUTE_MS }
  const env = { ...exchange.env, ...exchange.via(proxy.url), SETTLE_WAIT_MS: '60000' }
  services = await startTestServices([x402Facilitator], { databaseUrl: exchange.database.url, env, clock })
  over = await exchange.pay(wallet(1))
  open = await exchange.pay(wallet(1), { validBefore: Math.floor((Date.now() + DAY_MS) / 1000) })
  for (const signed of [over, open]) await exchange.submit(signed)
  proxy.lie = { http: withoutLogs, result: olderByBlocks }
})
afterAll(async () => {
  await services.stop()
  await proxy.close()
  await exchange.close()
})

/** How often the search of each range of blocks was asked for, oldest range first. */
const searches = () => {
  const logs = proxy.asked.filter(({ method }) => method === 'eth_getLogs')
  const ranges = logs.map(({ params: [filter] }) => Number((filter as { fromBlock: string }).fromBlock))
  return [...new Set(ranges)].toSorted((a, b) => a - b).map((from) => ranges.filter((one) => one === from).length)
}

test('refused at once, after one search, where the window ended long ago: its use is older than any node is behind', async () => {
  proxy.asked.length = 0
  expect(await services.call(operations.settle, over)).toMatchObject(USED)
  expect(searches()).toEqual([1, 1, 1, 1, 1, 1])
})

test('settlement_pending soon where the window is open, and only the newest blocks are searched again', async () => {
  proxy.asked.length = 0
  expect(await services.call(operations.settle, open)).toMatchObject({ errorReason: 'settlement_pending' })
  expect(searches().slice(0, -1)).toEqual([1, 1, 1, 1, 1])
})

test('refused at once, after one search as short, where it was first refused long ago', async () => {
  await exchange.database.query(
    "update x402_facilitator.payment set created_at = now() - interval '20 days' where state = 'refused'",
  )
  proxy.asked.length = 0
  expect(await services.call(operations.settle, over)).toMatchObject(USED)
  expect(searches()).toEqual([1, 1, 1, 1, 1, 1])
})

test('429 gas_budget_spent: no logs are read for a network that presents many, and nothing is kept of the payment', async () => {
  const { counters } = services.contexts.get('x402-facilitator') as FacilitatorContext
  await counters.take('use-searches:192.0.2.0/24', SEARCHES, SEARCHES.burst)
  const signed = await exchange.pay(wallet(1), { validBefore: Math.floor((Date.now() + DAY_MS) / 1000) })
  await exchange.submit(signed)
  proxy.asked.length = 0
  const from = (address: string) =>
    services.call(operations.settle, { ...signed, requester: { address, userAgent: null } })
  expect(await from('192.0.2.7')).toMatchObject({ refusal: 'gas_budget_spent', details: { scope: 'requester' } })
  expect(searches()).toEqual([])
  const { nonce } = signed.paymentPayload.payload.authorization
  const rows = await exchange.database.query('select from x402_facilitator.payment where nonce = $1', [nonce])
  expect(rows).toEqual([])
  proxy.lie = {}
  expect(await from('198.51.100.7')).toMatchObject({ success: true })
})
