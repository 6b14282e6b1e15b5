import { type Anvil, startAnvil } from '@callboard/embedded'
import { type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lying } from '../src/faults/chain.ts'
import { rpc } from '../src/rpc.ts'

let node: Anvil
let proxy: RpcProxy
const laterBlock = {
  result: ({ method }: { readonly method: string }, real: unknown) => (method === 'eth_blockNumber' ? '0x7' : real),
}

beforeAll(async () => {
  node = await startAnvil()
  proxy = await rpcProxy(node.rpcUrl)
})
afterAll(async () => {
  await proxy?.close()
  await node?.stop()
})

test('a lie that a process was told is a fault, and ends', async () => {
  const over = lying(proxy, laterBlock, 0.5)
  expect(await rpc(proxy.url, 'eth_blockNumber')).toBe('0x7')
  await over
  expect(await rpc(proxy.url, 'eth_blockNumber')).toBe('0x0')
})

test('error: a lie about what no process asked is none', async () => {
  const over = expect(lying(proxy, laterBlock, 0.5)).rejects.toThrow('asked for nothing that it lies about')
  expect(await rpc(proxy.url, 'eth_chainId')).toBe('0x7a69')
  await over
})
