import { x402Facilitator as operations } from '@callboard/contract'
import { granted, type TestServices, until, wallet } from '@callboard/testkit'
import { type Asked, rpcProxy } from '@callboard/testkit/servers'
import { isRefusal } from '@callboard/values'
import type { Confirmation, SettleResponse } from '@callboard/x402'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Exchange, FINALIZED_AFTER, openExchange, SAFE_AFTER, type Signed } from './exchange.ts'

let exchange: Exchange
let services: TestServices
const WAIT_MS = 600

beforeAll(async () => {
  exchange = await openExchange(inject('postgresUrl'), { finality: 'tags', finalityDepth: 1_000 })
  services = await exchange.start({ SETTLE_WAIT_MS: String(WAIT_MS) })
})
afterAll(async () => {
  await services.stop()
  await exchange.close()
})

const settle = async (signed: Signed) => granted(await services.call(operations.settle, signed)) as SettleResponse
const confirmation = (policy: string, reached: string | null) => ({ extra: { confirmation: { policy, reached } } })
/** Asks again until the payment is no longer pending. */
const answerTo = (signed: Signed) =>
  until('the payment counts', async () => {
    const answer = await settle(signed)
    return answer.errorReason !== 'settlement_pending' && answer
  })

test.each([
  ['safe', SAFE_AFTER],
  ['finalized', FINALIZED_AFTER],
] as const)(
  '%s: settlement_pending with the transaction until its block is that deep, then success with the same one',
  async (policy, depth) => {
    const payTo = wallet(policy === 'safe' ? 71 : 72).address
    const signed = await exchange.pay(wallet(1), { payTo, confirmation: policy })
    const pending = await settle(signed)
    expect(pending).toMatchObject({
      ...{ success: false, errorReason: 'settlement_pending', transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      ...confirmation(policy, 'included'),
    })
    await exchange.node.mine({ blocks: depth - 1 })
    expect(await settle(signed)).toMatchObject({ success: false, transaction: pending.transaction })
    await exchange.node.mine({ blocks: 1 })
    expect(await answerTo(signed)).toMatchObject({
      ...{ success: true, transaction: pending.transaction, amount: '10000' },
      ...confirmation(policy, policy),
    })
    expect([await exchange.uses(signed), await exchange.balanceOf(payTo)]).toEqual([1, 10_000n])
  },
)

test('a later request shows the confirmation reached since the success', async () => {
  const signed = await exchange.pay(wallet(1))
  const told = async () => ((await settle(signed)).extra as { confirmation: { reached: Confirmation } }).confirmation
  expect(await told()).toEqual({ policy: 'included', reached: 'included' })
  for (const [reached, blocks] of [
    ['safe', SAFE_AFTER],
    ['finalized', FINALIZED_AFTER - SAFE_AFTER],
  ] as const) {
    await exchange.node.mine({ blocks })
    await until(`it is ${reached}`, async () => (await told()).reached === reached)
  }
})

test('a caller that waits gets the success in the same call, as soon as the policy is reached', async () => {
  const patient = await exchange.start({ SETTLE_WAIT_MS: '20000' })
  const signed = await exchange.pay(wallet(2), { confirmation: 'safe' })
  const settling = patient.call(operations.settle, signed)
  await until('a block holds it', async () => (await exchange.uses(signed)) === 1)
  await exchange.node.mine({ blocks: SAFE_AFTER })
  expect(await settling).toMatchObject({ success: true, ...confirmation('safe', 'safe') })
  await patient.stop()
})

test('with a node that calls no block safe yet, inclusion counts, and a block that goes away is noticed', async () => {
  const proxy = await rpcProxy(exchange.devnet.rpcUrl)
  const isTag = ({ method, params }: Asked) =>
    method === 'eth_getBlockByNumber' && (params[0] === 'safe' || params[0] === 'finalized')
  proxy.lie = { refusal: (asked) => (isTag(asked) ? 'finalized block not found' : undefined) }
  const young = await exchange.start(exchange.via(proxy.url))
  const signed = await exchange.pay(wallet(3))
  expect(await young.call(operations.settle, signed)).toMatchObject({ success: true })
  const standsIn = async () => {
    const { nonce } = signed.paymentPayload.payload.authorization
    const [row] = await exchange.database.query('select * from x402_facilitator.payment where nonce = $1', [nonce])
    return row?.state === 'mined' && row.block_hash
  }
  const before = await until('a block holds it', standsIn)
  // The service running next to it would see it, too.
  await services.stop()
  await exchange.node.request({ method: 'anvil_reorg', params: [1, []] } as never)
  await until('it stands in another block', async () => (await standsIn()) !== before && (await standsIn()))
  expect(await exchange.uses(signed)).toBe(1)
  await young.stop()
  await proxy.close()
  services = await exchange.start({ SETTLE_WAIT_MS: String(WAIT_MS) })
})

test('when a block goes away before it is safe, the payment stays pending, is sent again, and is paid once', async () => {
  const payTo = wallet(73).address
  const signed = await exchange.pay(wallet(3), { payTo, confirmation: 'safe' })
  expect(await settle(signed)).toMatchObject({ errorReason: 'settlement_pending' })
  await exchange.node.request({ method: 'anvil_reorg', params: [1, []] } as never)
  await until('it stands in another block', async () => (await exchange.balanceOf(payTo)) === 10_000n)
  await exchange.node.mine({ blocks: SAFE_AFTER })
  expect(await answerTo(signed)).toMatchObject({ success: true })
  expect(await exchange.uses(signed)).toBe(1)
})

describe('a policy that is not allowed', () => {
  const asks = (confirmation: unknown) => exchange.pay(wallet(1), { confirmation: confirmation as Confirmation })

  test.each(['preconfirmed', 'soon', 1])(
    '%s: invalid at verify, 400 at settle, and nothing is claimed',
    async (policy) => {
      const signed = await asks(policy)
      expect(await services.call(operations.verify, signed)).toEqual({
        isValid: false,
        invalidReason: 'invalid_payment_requirements',
        invalidMessage: expect.stringMatching(/^extra\.confirmation: .+ Allowed: "included", "safe", "finalized"\.$/),
        payer: wallet(1).address,
      })
      const refused = await services.call(operations.settle, signed)
      expect(isRefusal(refused) && refused).toMatchObject({
        refusal: 'invalid_request',
        field: 'paymentRequirements.extra.confirmation',
        message: expect.stringContaining('"included", "safe", "finalized"'),
      })
      const { nonce } = signed.paymentPayload.payload.authorization
      expect(await exchange.database.query('select 1 from x402_facilitator.payment where nonce = $1', [nonce])).toEqual(
        [],
      )
    },
  )
})

test('the start is refused where a route is sold under a policy that its chain does not allow', async () => {
  const DECODE_CONFIRMATIONS = JSON.stringify({ [exchange.network]: 'preconfirmed' })
  await expect(exchange.start({ DECODE_CONFIRMATIONS })).rejects.toThrow(
    `DECODE_CONFIRMATIONS: "preconfirmed" is not allowed on ${exchange.network} (included, safe, finalized)`,
  )
})
