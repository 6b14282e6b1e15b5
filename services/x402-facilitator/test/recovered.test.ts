import { x402Facilitator as operations } from '@callboard/contract'
import { chainOf } from '@callboard/evm'
import { granted, wallet } from '@callboard/testkit'
import { MINUTE_MS } from '@callboard/values'
import { toHex } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FacilitatorContext } from '../src/index.ts'
import { recoverPayments } from '../src/restore/recover-payments.ts'
import { DECODE_PAY_TO, type Exchange, openExchange } from './exchange.ts'

let exchange: Exchange

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'))
})
afterAll(() => exchange.close())

async function forgetPayments(): Promise<void> {
  for (const table of ['payment', 'leg', 'transaction']) {
    await exchange.database.query(`delete from x402_facilitator.${table}`)
  }
}

test('a payment from the lost period is recovered, bound to no request, even if its signing account was removed', async () => {
  const before = await exchange.start()
  const to = new Date(Date.now() - MINUTE_MS)
  const signed = await exchange.pay(wallet(1), { payTo: DECODE_PAY_TO })
  const settled = granted(await before.call(operations.settle, signed))
  expect(settled).toMatchObject({ success: true })
  await before.stop()
  await forgetPayments()

  const after = await exchange.start({ FACILITATOR_KEYS: toHex(wallet(2).getHdKey().privateKey ?? new Uint8Array()) })
  const ctx = after.contexts.get('x402-facilitator') as FacilitatorContext
  const chain = chainOf(ctx.resources.chains, exchange.network)
  expect(await recoverPayments(ctx, chain, { to, dryRun: false })).toEqual({ payments: 1, open: 0 })
  expect(await recoverPayments(ctx, chain, { to, dryRun: false })).toEqual({ payments: 0, open: 0 })
  expect(granted(await after.call(operations.settle, signed))).toMatchObject({
    ...{ success: true, transaction: settled.transaction },
  })
  expect(await exchange.uses(signed)).toBe(1)
  expect(await exchange.database.query('select operation from x402_facilitator.grant_binding')).toEqual([
    { operation: 'recovered' },
  ])
  await after.stop()
})

test('a payment from the lost period is recovered on a chain whose blocks are half an hour behind the clock', async () => {
  const running = await exchange.start()
  const signed = await exchange.pay(wallet(3))
  expect(granted(await running.call(operations.settle, signed))).toMatchObject({ success: true })
  await exchange.node.mine({ blocks: 2 })
  await forgetPayments()
  const ctx = running.contexts.get('x402-facilitator') as FacilitatorContext
  const chain = chainOf(ctx.resources.chains, exchange.network)
  const to = new Date(Date.now() + 30 * MINUTE_MS)
  expect((await recoverPayments(ctx, chain, { to, dryRun: false })).payments).toBeGreaterThan(0)
  expect(granted(await running.call(operations.settle, signed))).toMatchObject({ success: true })
  expect(await exchange.uses(signed)).toBe(1)
  await running.stop()
})
