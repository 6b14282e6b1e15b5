import { once } from 'node:events'
import { x402Facilitator as operations } from '@callboard/contract'
import { until, wallet } from '@callboard/testkit'
import type { Hex } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, openExchange } from './exchange.ts'
import { kill, startChild } from './killed.ts'
import { openRpcProxy, type RpcProxy, type Withheld } from './rpc-proxy.ts'

let exchange: Exchange
/** A proxy to a node that answers a transaction with its receipt, and one to a node that has to be polled for it. */
let pushing: RpcProxy
let polled: RpcProxy

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  pushing = await openRpcProxy(exchange.devnet.rpcUrl)
  polled = await openRpcProxy(exchange.devnet.rpcUrl)
  polled.lacks(PUSH)
  await (await exchange.start()).stop()
})
afterAll(async () => {
  await pushing.close()
  await polled.close()
  await exchange.close()
})

const PUSH = 'eth_sendRawTransactionSync'

const start = ({ url } = pushing) =>
  startChild({ ...exchange.env, ...exchange.via(url), DATABASE_URL: exchange.database.url })

const steps: [state: string, what: string, method: string, withheld: Withheld][] = [
  ['claimed', 'before anything is signed', 'eth_maxPriorityFeePerGas', 'requests'],
  ['signed', 'before the transaction reaches the node', PUSH, 'requests'],
  ['signed', 'after the transaction reached the node, before its receipt comes', PUSH, 'answers'],
  ['signed', 'before the transaction reaches a node that is asked for receipts', 'eth_sendRawTransaction', 'requests'],
  ['signed', 'after the transaction reached such a node, before its answer', 'eth_sendRawTransaction', 'answers'],
  ['signed', 'between its sending and its receipt', 'eth_getTransactionReceipt', 'answers'],
]

const polledMethods: ReadonlySet<string> = new Set(['eth_sendRawTransaction', 'eth_getTransactionReceipt'])

test.each(steps)(
  'kill -9 of a %s payment, %s: the next start settles it once',
  async (state, _what, method, withheld) => {
    const payTo = wallet(60 + steps.findIndex((step) => step[1] === _what)).address
    const signed = await exchange.pay(wallet(1), { payTo })
    const proxy = polledMethods.has(method) ? polled : pushing
    const child = await start(proxy)
    const came = proxy.withhold(method, withheld)
    child.send(signed)
    await came
    await kill(child)
    proxy.restore()
    const stood = await exchange.rowOf(signed)
    expect(stood?.state).toBe(state)

    const services = await exchange.start()
    const settled = await until('the next start has settled it', async () => {
      const row = await exchange.rowOf(signed)
      return row?.settled_tx ? row : undefined
    })
    if (stood?.tx_hash) expect(settled.settled_tx).toBe(stood.tx_hash)
    const answer = (await services.call(operations.settle, signed)) as SettleResponse
    expect(answer).toMatchObject({ success: true, transaction: settled.settled_tx })
    expect(await exchange.uses(signed)).toBe(1)
    expect(await exchange.balanceOf(payTo)).toBe(10_000n)
    await services.stop()
  },
)

test('kill -9 after the success was stored: the next start returns it and makes it final', async () => {
  const signed = await exchange.pay(wallet(1))
  const child = await start()
  child.send(signed)
  const [answer] = (await once(child, 'message')) as [SettleResponse]
  await kill(child)
  const services = await exchange.start()
  expect(await services.call(operations.settle, signed)).toEqual(answer)
  await until('it is final', async () => (await exchange.rowOf(signed))?.state === 'final')
  expect(await exchange.uses(signed)).toBe(1)
  await services.stop()
})

test('the next start settles a payment that a process long gone had claimed or verified', async () => {
  const claimed = await exchange.pay(wallet(1))
  const verified = await exchange.pay(wallet(1))
  for (const [state, { paymentPayload, paymentRequirements }] of [
    ['claimed', claimed],
    ['verified', verified],
  ] as const) {
    const { authorization, signature } = paymentPayload.payload
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    const { network, asset } = paymentRequirements as { network: string; asset: Hex }
    await exchange.database.query(
      `insert into x402_facilitator.payment (key, network, asset, payer, nonce, pay_to, amount, valid_after,
         valid_before, signature, suffix, state, lease_owner, lease_until, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '0x', $11, 'gone', now() - interval '1 hour', now(), now())`,
      [
        `${network}/${asset}/${from}/${nonce}`.toLowerCase(),
        ...[network, asset, from, nonce, to, value, validAfter, validBefore, signature, state],
      ],
    )
  }
  const services = await exchange.start()
  for (const signed of [claimed, verified]) {
    await until('it is settled', async () => typeof (await exchange.rowOf(signed))?.settled_tx === 'string')
    expect(await exchange.uses(signed)).toBe(1)
  }
  await services.stop()
})
