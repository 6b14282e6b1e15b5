import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { type Address, type Hex, isRefusal } from '@callboard/values'
import type { SettleResponse } from '@callboard/x402'
import { parseEther, parseTransaction } from 'viem'
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

const isThere = (hash: Hex): Promise<boolean> =>
  exchange.node.getTransaction({ hash }).then(
    () => true,
    () => false,
  )

/** The newest transaction, and whether it is old enough to be replaced. */
async function newest() {
  const [found] = await exchange.database.query<{ hash: Hex; lane: Address; raw: `0x02${string}`; due: boolean }>(
    `select hash, lane, raw, created_at < now() - interval '3 seconds' as due from x402_facilitator.transaction
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
  expect(await isThere(hash)).toBe(false)
  await until('the node has it again', () => isThere(hash))
  await node.mine({ blocks: 1 })
  await until('it is settled', async () => (await settle(signed)).success)
}, 60_000)

test('a transaction is sent again, and not replaced by one for which its own account has no coins', async () => {
  const { node } = exchange
  for (const { address } of LANES) await node.setBalance({ address, value: parseEther('1') })
  const signed = await exchange.pay(wallet(3))
  await until('accounts can pay again', async () => !isRefusal(await services.call(operations.settle, signed)))
  const { hash, raw, lane } = await newest()
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw)
  await node.setBalance({ address: lane, value: gas * maxFeePerGas + 1n })
  await until('it would be replaced', async () => (await newest()).hash !== hash || (await newest()).due)
  await node.dropTransaction({ hash })
  await until('the node has it again', () => isThere(hash))
  await node.mine({ blocks: 1 })
  const settled = await until('it is settled', async () => {
    const answer = await settle(signed)
    return answer.success && answer
  })
  expect(settled).toMatchObject({ transaction: hash })
}, 60_000)
