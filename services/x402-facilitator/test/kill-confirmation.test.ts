import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { x402Facilitator as operations } from '@callboard/contract'
import { granted, until, wallet } from '@callboard/testkit'
import { type FlashblocksProxy, flashblocksProxy } from '@callboard/testkit/servers'
import type { SettleResponse } from '@callboard/x402'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, openExchange, SAFE_AFTER, type Signed } from './exchange.ts'
import { kill, startChild } from './killed.ts'

let exchange: Exchange
let proxy: FlashblocksProxy

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), {
    ...{ finality: 'tags', finalityDepth: 1_000 },
    preconfirmations: { allowed: ['preconfirmed', 'included', 'safe', 'finalized'] },
  })
  proxy = await flashblocksProxy(exchange.devnet.rpcUrl, { everyMs: 50 })
  await (await exchange.start()).stop()
  await exchange.node.setAutomine(false)
})
afterEach(() => {
  proxy.drops = false
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await proxy.close()
  await exchange.close()
})

const env = () => ({ ...exchange.env, ...exchange.via(proxy.url), SETTLE_WAIT_MS: '1500' })
const children: ChildProcess[] = []
async function start(killAt?: Parameters<typeof startChild>[1]) {
  const child = await startChild({ ...env(), DATABASE_URL: exchange.database.url }, killAt)
  children.push(child)
  return child
}
const states = (signed: Signed, state: string) => async () => (await exchange.rowOf(signed))?.state === state

/** Settles a payment in a process that kills itself, while `meanwhile` controls the chain. */
async function killedAt(
  signed: Signed,
  name: NonNullable<Parameters<typeof start>[0]>['name'],
  meanwhile = async () => {},
) {
  const child = await start({ name, payments: 1 })
  const gone = once(child, 'exit')
  child.send(signed)
  await meanwhile()
  expect((await gone)[1]).toBe('SIGKILL')
}

/** Starts again, and checks that the payment is paid once and announced once. */
async function settledByTheNextStart(
  signed: Signed,
  payTo: `0x${string}`,
  mines: () => Promise<unknown>,
): Promise<void> {
  const services = await exchange.start(env())
  try {
    await mines()
    await until('a block holds it', async () =>
      ['mined', 'safe', 'final'].includes((await exchange.rowOf(signed))?.state as string),
    )
    const answer = granted(await services.call(operations.settle, signed)) as SettleResponse
    expect(answer).toMatchObject({ success: true, transaction: (await exchange.rowOf(signed))?.settled_tx })
    expect([await exchange.uses(signed), await exchange.balanceOf(payTo)]).toEqual([1, 10_000n])
    const { nonce } = signed.paymentPayload.payload.authorization
    expect(await exchange.database.query('select 1 from x402_facilitator.outbox where key = $1', [nonce])).toHaveLength(
      1,
    )
  } finally {
    await services.stop()
  }
}

let payees = 700
const payment = async (confirmation: 'preconfirmed' | 'safe') => {
  const payTo = wallet(payees++).address
  return { payTo, signed: await exchange.pay(wallet(1), { payTo, confirmation }) }
}
const mine = (blocks: number) => exchange.node.mine({ blocks })

describe('kill -9 of a payment that counts once it is preconfirmed', { timeout: 90_000 }, () => {
  test('after its preconfirmation was stored, before its caller is answered: the next block pays it', async () => {
    const { signed, payTo } = await payment('preconfirmed')
    await killedAt(signed, 'preconfirmed')
    expect(await exchange.rowOf(signed)).toMatchObject({ state: 'preconfirmed', announced_tx: null })
    await settledByTheNextStart(signed, payTo, () => mine(1))
  })

  test('when a block holds it, before that is stored', async () => {
    const { signed, payTo } = await payment('preconfirmed')
    await killedAt(signed, 'seen', async () => {
      await until('it is preconfirmed', states(signed, 'preconfirmed'))
      await mine(1)
    })
    expect(await exchange.rowOf(signed)).toMatchObject({ state: 'preconfirmed' })
    await settledByTheNextStart(signed, payTo, async () => {})
  })

  test('when its preconfirmation came to nothing, before its transaction is sent again', async () => {
    const { signed, payTo } = await payment('preconfirmed')
    proxy.drops = true
    await killedAt(signed, 'vanished', async () => {
      await until('it is preconfirmed', states(signed, 'preconfirmed'))
      await mine(2)
    })
    const stood = await exchange.rowOf(signed)
    expect(stood).toMatchObject({ state: 'broadcast', settled_tx: null, preconfirmed_tx: stood?.tx_hash })
    proxy.drops = false
    await settledByTheNextStart(signed, payTo, async () => {
      await exchange.isSent()
      await mine(1)
    })
  })
})

describe('kill -9 of a payment that counts once it is safe', { timeout: 90_000 }, () => {
  test('while its caller waits for its block to become safe: a retry finds it pending, and then paid', async () => {
    const { signed, payTo } = await payment('safe')
    const child = await start()
    child.send(signed)
    await exchange.isSent()
    await mine(1)
    await until('a block holds it', states(signed, 'mined'))
    await kill(child)
    const services = await exchange.start(env())
    expect(await services.call(operations.settle, signed)).toMatchObject({ errorReason: 'settlement_pending' })
    await services.stop()
    await settledByTheNextStart(signed, payTo, async () => {
      await mine(SAFE_AFTER)
      await until('it is safe', states(signed, 'safe'))
    })
  })

  test('after its safe state was stored, before its caller is answered', async () => {
    const { signed, payTo } = await payment('safe')
    await killedAt(signed, 'secured', async () => {
      await exchange.isSent()
      await mine(1)
      await until('a block holds it', states(signed, 'mined'))
      await mine(SAFE_AFTER)
    })
    expect(await exchange.rowOf(signed)).toMatchObject({ state: 'safe' })
    await settledByTheNextStart(signed, payTo, async () => {})
  })
})
