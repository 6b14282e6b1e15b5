import { x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, until, wallet } from '@callboard/testkit'
import { type Asked, type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'

/** Far apart, so that the polling interval is the longest possible. */
const BLOCK_TIME_MS = 60_000
let exchange: Exchange

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { blockTimeMs: BLOCK_TIME_MS })
  await exchange.node.setAutomine(false)
})
afterEach(() => Promise.all(opened.splice(0).map((close) => close())))
afterAll(() => exchange.close())

const opened: (() => Promise<void>)[] = []

/** The service connected to a node that does not know EIP-7966, with or without subscriptions. */
async function before(options: { passesWebSockets: boolean }): Promise<{ services: TestServices; proxy: RpcProxy }> {
  const proxy = await rpcProxy(exchange.devnet.rpcUrl, options)
  proxy.lie = {
    http(asked, res) {
      const [one] = asked as readonly (Asked & { id: number })[]
      if (one?.method !== 'eth_sendRawTransactionSync') return false
      const error = { code: -32_601, message: 'the method does not exist' }
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id: one.id, error }))
      return true
    },
  }
  const services = await exchange.start({ ...exchange.via(proxy.url), RESEND_AFTER_MS: '60000' })
  opened.push(
    () => services.stop(),
    () => proxy.close(),
  )
  return { services, proxy }
}

const wayOf = async (services: TestServices) => {
  const shown = await (await fetch(`http://127.0.0.1:${services.adminPort}/metrics`)).text()
  return ['sync', 'heads', 'poll'].filter((way) =>
    new RegExp(`callboard_rpc_endpoint_push\\{[^}]*way="${way}"[^}]*\\} 1`).test(shown),
  )
}

const looks = ({ asked }: RpcProxy) => asked.filter(({ method }) => method === 'eth_getTransactionReceipt').length

test('without EIP-7966, a subscription to heads triggers the receipt check at the block, for all waiting at once', async () => {
  const { services, proxy } = await before({ passesWebSockets: true })
  /** @returns how long after the block three payments were settled that waited for it and had just been checked */
  async function afterBlock(): Promise<number> {
    const payments = await Promise.all([1, 2, 3].map((payer) => exchange.pay(wallet(payer))))
    const settling = payments.map((signed) => services.call(operations.settle, signed))
    await exchange.isSent()
    await until('heads are pushed', async () => (await wayOf(services))[0] === 'heads')
    await until('a look has just come to nothing', () => looks(proxy) > 0)
    const then = looks(proxy)
    await until('a further one', () => looks(proxy) > then)
    const began = performance.now()
    await exchange.node.mine({ blocks: 1 })
    const answers = await Promise.all(settling)
    expect(answers.map((answer) => 'success' in answer && answer.success)).toEqual([true, true, true])
    return performance.now() - began
  }
  // Polling would never check sooner; a busy machine may be late a few times.
  await until('they are settled before the beat', async () => (await afterBlock()) < 300)
})

test('with neither available, receipts are polled at the interval', async () => {
  const { services } = await before({ passesWebSockets: false })
  const signed = await exchange.pay(wallet(1))
  const settling = services.call(operations.settle, signed)
  await exchange.isSent()
  expect(await wayOf(services)).toEqual(['poll'])
  await exchange.node.mine({ blocks: 1 })
  expect(await settling).toMatchObject({ success: true })
})

test('a node that drops its subscribers is polled until it accepts them again', async () => {
  const { services, proxy } = await before({ passesWebSockets: true })
  const settle = async (payer: number) => {
    const settling = services.call(operations.settle, await exchange.pay(wallet(payer)))
    await exchange.isSent()
    await exchange.node.mine({ blocks: 1 })
    return settling
  }
  expect(await settle(1)).toMatchObject({ success: true })
  await until('heads are pushed', async () => (await wayOf(services))[0] === 'heads')
  proxy.dropWebSockets()
  await until('it is polled', async () => (await wayOf(services))[0] === 'poll')
  expect(await settle(2)).toMatchObject({ success: true })
  await until('heads are pushed again', async () => (await wayOf(services))[0] === 'heads')
})
