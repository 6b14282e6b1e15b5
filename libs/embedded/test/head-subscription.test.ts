import { HeadSubscription } from '@callboard/evm'
import { until } from '@callboard/testkit'
import { afterEach, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../src/index.ts'

let anvil: Anvil | undefined
const subscriptions: HeadSubscription[] = []
afterEach(async () => {
  for (const one of subscriptions.splice(0)) one.stop()
  await anvil?.stop()
  anvil = undefined
})

function subscribe(url: string) {
  const seen = { heads: 0 }
  const heads = new HeadSubscription(url, () => {
    seen.heads += 1
  })
  heads.start()
  subscriptions.push(heads)
  return { heads, seen }
}

const mine = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [] }),
  })

test('a new head is pushed, and the loss of the node is detected', async () => {
  anvil = await startAnvil()
  const { heads, seen } = subscribe(anvil.rpcUrl)
  await until('it is held', () => heads.isHeld)
  const before = seen.heads
  await mine(anvil.rpcUrl)
  await until('the head is pushed', () => seen.heads > before)
  const pushed = seen.heads
  await anvil.stop()
  await until('the loss is known, and said', () => !heads.isHeld && seen.heads > pushed)
})

test('an address without a node holds no subscription', async () => {
  const { heads, seen } = subscribe('http://127.0.0.1:9')
  heads.stop()
  expect(heads.isHeld).toBe(false)
  expect(seen.heads).toBe(0)
})
