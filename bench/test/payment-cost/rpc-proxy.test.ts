import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countOf, Ledger } from '../../src/payment-cost/ledger.ts'
import type { Way } from '../../src/payment-cost/postgres-proxy.ts'
import { openRpcProxy } from '../../src/payment-cost/rpc-proxy.ts'
import { WebSocketMessages } from '../../src/payment-cost/websocket-messages.ts'

const ledger = new Ledger()
const node = createServer((req, res) => void req.toArray().then((body) => res.end(Buffer.concat(body))))
let way: Way

beforeAll(async () => {
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  way = await openRpcProxy(`http://127.0.0.1:${(node.address() as AddressInfo).port}`, ledger)
})
afterAll(() => {
  way.close()
  node.closeAllConnections()
  node.close()
})
beforeEach(() => ledger.forget())

test('a batch is one request with as many calls as it holds', async () => {
  const body = JSON.stringify([{ method: 'eth_call', params: [] }, { method: 'eth_call' }, { method: 'eth_chainId' }])
  const answer = await fetch(way.url, { method: 'POST', body })
  expect(await answer.text()).toBe(body)
  const { total, by } = countOf(ledger.between(0, Number.POSITIVE_INFINITY))
  expect(total.get('HTTP requests to the node')).toBe(1)
  expect([...(by.get('JSON-RPC calls') ?? [])]).toEqual([
    ['eth_call', 2],
    ['eth_chainId', 1],
  ])
})

/** @source RFC 6455, section 5.7: "Hello" masked, whole and in two fragments */
const HELLO = Buffer.from('818537fa213d7f9f4d5158', 'hex')
const FRAGMENTS = Buffer.from('018337fa213d7f9f4d808237fa213d5b95', 'hex')

test('messages of a WebSocket client are read, however they are split', () => {
  const said: string[] = []
  const messages = new WebSocketMessages((text) => said.push(text))
  for (const byte of HELLO) messages.push(Buffer.from([byte]))
  messages.push(Buffer.concat([HELLO, FRAGMENTS]))
  expect(said).toEqual(['Hello', 'Hello', 'Hello'])
})
