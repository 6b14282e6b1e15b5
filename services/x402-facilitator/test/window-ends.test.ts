import { x402Facilitator as operations } from '@callboard/contract'
import { startTestServices, type TestServices, until, wallet } from '@callboard/testkit'
import { SECOND_MS, unixSeconds } from '@callboard/values'
import { toHex } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { x402Facilitator } from '../src/index.ts'
import { type Exchange, LANES, openExchange, type Signed } from './exchange.ts'

const BLOCK_SECONDS = 12
const WINDOW_SECONDS = 120

let exchange: Exchange
let services: TestServices
/** How far ahead the service's clock is. */
let aheadMs = 0
beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { blockTimeMs: BLOCK_SECONDS * SECOND_MS })
  const oneKey = toHex(LANES[0]?.getHdKey().privateKey ?? new Uint8Array())
  services = await startTestServices([x402Facilitator], {
    databaseUrl: exchange.database.url,
    env: { ...exchange.env, FACILITATOR_KEYS: oneKey, LANE_DEPTH: '1' },
    clock: { now: () => Date.now() + aheadMs },
  })
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = (signed: Signed) => services.call(operations.settle, signed)
const stateOf = async (signed: Signed) => (await exchange.rowOf(signed))?.state

test('a payment that waits for an account until no block can take it is refused, and no gas is spent on it', async () => {
  await exchange.node.setAutomine(false)
  try {
    const first = await exchange.pay(wallet(1))
    const settling = settle(first)
    await until('the account is busy', async () => (await stateOf(first)) === 'broadcast')
    const late = await exchange.pay(wallet(2), { validBefore: unixSeconds(Date.now()) + WINDOW_SECONDS })
    const waiting = settle(late)
    await until('it waits', async () => (await stateOf(late)) === 'verified')
    aheadMs = (WINDOW_SECONDS - BLOCK_SECONDS) * SECOND_MS
    expect(await waiting).toMatchObject({
      ...{ success: false, errorReason: 'invalid_exact_evm_payload_authorization_valid_before', transaction: '' },
    })
    expect(await exchange.rowOf(late)).toMatchObject({ state: 'refused', tx_hash: null })
    await exchange.node.setAutomine(true)
    await exchange.node.mine({ blocks: 1 })
    expect(await settling).toMatchObject({ success: true })
  } finally {
    await exchange.node.setAutomine(true)
  }
})
