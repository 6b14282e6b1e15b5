import { x402Facilitator as operations } from '@callboard/contract'
import { type TestServices, until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Exchange, LANES, openExchange } from './exchange.ts'

let exchange: Exchange
let services: TestServices

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: 1_000 })
  services = await exchange.start()
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

/** The value of a series in the output of `/metrics`. */
async function shown(name: string, labels: Record<string, string>): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${services.adminPort}/metrics`)).text()
  const pairs = Object.entries({ network: exchange.network, ...labels })
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`${name}{`) && pairs.every(([label, value]) => one.includes(`${label}="${value}"`)))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

test('/metrics shows the state of open payments, and what signing accounts hold', async () => {
  expect(await shown('callboard_payments_open', { state: 'broadcast' })).toBe(0)
  expect(await shown('callboard_payments_oldest_seconds', { state: 'broadcast' })).toBe(0)
  for (const { address } of LANES) {
    expect(await shown('callboard_lane_balance_coins', { lane: address })).toBeGreaterThan(1)
    expect(await shown('callboard_lane_in_flight', { lane: address })).toBe(0)
  }

  const signed = await exchange.pay(await exchange.funded(10_000n))
  await exchange.node.setAutomine(false)
  const settled = services.call(operations.settle, signed)
  await until('it is on its way', async () => (await shown('callboard_payments_open', { state: 'broadcast' })) === 1)
  expect(await shown('callboard_payments_oldest_seconds', { state: 'broadcast' })).toBeGreaterThan(0)
  const inFlight = await Promise.all(LANES.map(({ address }) => shown('callboard_lane_in_flight', { lane: address })))
  expect(inFlight.toSorted()).toEqual([0, 1])

  await exchange.node.setAutomine(true)
  await exchange.node.mine({ blocks: 1 })
  expect(await settled).toMatchObject({ success: true })
  expect(await shown('callboard_payments_open', { state: 'broadcast' })).toBe(0)
  expect(await shown('callboard_payments_open', { state: 'mined' })).toBe(1)
  expect(await shown('callboard_payment_outcomes_total', { outcome: 'settled' })).toBe(1)
})
