import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { type Hex, isRefusal } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, LANES, openExchange, type Signed } from './exchange.ts'

let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
  services = await exchange.start({ REPRICE_AFTER_MS: '2000', SETTLE_WAIT_MS: '1000' })
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = async (signed: Signed): Promise<SettleResponse> =>
  granted(await services.call(operations.settle, signed))

/** Whether no account can pay for new transactions. */
async function isPoor(): Promise<boolean> {
  const answer = await services.call(operations.settle, await exchange.pay(wallet(2)))
  return isRefusal(answer) && (answer.message?.includes('no coins for gas') ?? false)
}

async function newest() {
  const [found] = await exchange.database.query<{ hash: Hex; raw: `0x02${string}`; due: boolean }>(
    `select hash, raw, created_at < now() - interval '3 seconds' as due from x402_facilitator.transaction
      order by created_at desc limit 1`,
  )
  if (!found) throw new Error('nothing was signed')
  return found
}

test('a transaction that its node lost is sent again, though no account could pay for a dearer one', async () => {
  const { node } = exchange
  await node.setAutomine(false)
  const signed = await exchange.pay(wallet(1))
  expect(await settle(signed)).toMatchObject({ errorReason: 'settlement_pending' })
  // Enough for the one that was sent, and not for three.
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction((await newest()).raw)
  for (const { address } of LANES) await node.setBalance({ address, value: 2n * gas * maxFeePerGas })
  await until('no account can pay', isPoor)
  const { hash } = await until('it would be replaced', async () => {
    const one = await newest()
    return one.due && one
  })
  await node.dropTransaction({ hash })
  const isThere = () =>
    node.getTransaction({ hash }).then(
      () => true,
      () => false,
    )
  expect(await isThere()).toBe(false)
  await until('the node has it again', isThere)
  await node.mine({ blocks: 1 })
  await until('it is settled', async () => (await settle(signed)).success)
}, 60_000)
