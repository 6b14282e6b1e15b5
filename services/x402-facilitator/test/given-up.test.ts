import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { x402Facilitator as operations } from '@callboard/contract'
import type { FailpointHit } from '@callboard/runtime'
import { type TestServices, until, wallet } from '@callboard/testkit'
import { type Asked, type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { settlementFailpoints } from '../src/settlement/failpoints.ts'
import { type Exchange, LANES, openExchange, type Signed } from './exchange.ts'
import { startChild } from './killed.ts'

let exchange: Exchange
let proxy: RpcProxy
const running: TestServices[] = []

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  return () => exchange.close()
})
beforeEach(async () => {
  proxy = await rpcProxy(exchange.devnet.rpcUrl)
})
afterEach(async () => {
  await exchange.node.setAutomine(true)
  await Promise.all(running.splice(0).map((one) => one.stop()))
  await proxy.close()
})

/** A replica that has settled a payment before. */
async function start(env: Record<string, string>): Promise<TestServices> {
  const services = await exchange.start(env)
  running.push(services)
  expect(await services.call(operations.settle, await exchange.pay(wallet(1)))).toMatchObject({ success: true })
  return services
}

const isSettled = (signed: Signed) => async () => (await exchange.rowOf(signed))?.settled_tx ?? undefined

describe('503 “nothing was sent” is answered only where nothing was, and nothing will be', () => {
  test('the outcome, where this replica’s node is silent and another replica has settled the payment', async () => {
    const services = await start({ ...exchange.via(proxy.url), SETTLE_WAIT_MS: '20000' })
    await start({})
    proxy.lie = { http: (asked) => asked.some(({ method }) => method === 'eth_call') }
    const signed = await exchange.pay(wallet(2))
    const settling = services.call(operations.settle, signed)
    const transaction = await until('the other replica has settled it', isSettled(signed))
    expect(await settling).toMatchObject({ success: true, transaction })
    expect(await exchange.uses(signed)).toBe(1)
  }, 60_000)

  test('the claim is gone, where the answer was taken from a run that another process’s claim had begun', async () => {
    const services = await start({ ...exchange.via(proxy.url), SETTLE_WAIT_MS: '20000' })
    const signed = await exchange.pay(wallet(2))
    const env = { ...exchange.env, DATABASE_URL: exchange.database.url }
    const child = await startChild(env, { name: 'claimed', payments: 1 })
    child.send(signed)
    await once(child, 'exit')
    const isAsked = Promise.withResolvers<void>()
    proxy.lie = {
      http: (asked) => {
        const isCall = asked.some(({ method }) => method === 'eth_call')
        if (isCall) isAsked.resolve()
        return isCall
      },
    }
    await isAsked.promise
    const answer = await services.call(operations.settle, signed)
    expect([answer, await exchange.rowOf(signed)]).toMatchObject([{ refusal: 'temporarily_unavailable' }, undefined])
  }, 60_000)

  test('settlement_pending, where its transaction lost its chain nonce: all have seen the authorization', async () => {
    const services = await start({ ...exchange.via(proxy.url), SETTLE_WAIT_MS: '12000' })
    for (const lane of LANES) await exchange.useNonce(lane)
    const cut = (hit: unknown) => {
      if ((hit as FailpointHit).name !== 'displaced') return
      proxy.lie = { http: (_asked, res) => Boolean(res.writeHead(503).end()) }
    }
    subscribe(settlementFailpoints.channel, cut)
    const signed = await exchange.pay(wallet(2))
    const answer = await services.call(operations.settle, signed)
    unsubscribe(settlementFailpoints.channel, cut)
    expect([answer, await exchange.rowOf(signed)]).toMatchObject([
      { success: false, errorReason: 'settlement_pending' },
      { state: 'verified' },
    ])
    proxy.lie = {}
    await until('it is settled though nobody asks', isSettled(signed))
    expect(await exchange.uses(signed)).toBe(1)
  }, 60_000)
})

/** Whether a node is asked to try a transfer on the token. */
const isTrial = ({ method, params }: Asked) => method === 'eth_call' && !('to' in (params[0] as object))

test('a replica that lost a payment to another one waits for its outcome, and does not try it again', async () => {
  const services = await start({ ...exchange.via(proxy.url), SETTLE_WAIT_MS: '20000' })
  await start({})
  await exchange.node.setAutomine(false)
  let isSlow = true
  const slowly = async (_asked: unknown, result: unknown) => {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 3_500))
    return result
  }
  proxy.lie = { result: slowly }
  const signed = await exchange.pay(wallet(2))
  const settling = services.call(operations.settle, signed)
  await until('the other replica has sent it', async () => (await exchange.rowOf(signed))?.state === 'broadcast')
  isSlow = false
  const before = proxy.asked.length
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  expect(proxy.asked.slice(before).filter(isTrial).length).toBeLessThan(2)
  await exchange.node.setAutomine(true)
  await exchange.node.mine({ blocks: 1 })
  expect(await settling).toMatchObject({ success: true })
}, 60_000)
