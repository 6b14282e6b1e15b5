import { type Caller, x402Facilitator as operations, type Requester } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import { encodeHeader } from '@callboard/x402'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Edge, startEdge } from './edge.ts'

const { settle, decode } = operations

/** The facilitator's calls and their callers, latest last. */
const asked: { caller: Caller; requester: Requester | undefined }[] = []
/** The requesters of payments to us, as they came with the payment. */
const payers: (Requester | undefined)[] = []
let isSpent = false

const facilitator = service({
  name: 'x402-facilitator',
  config: z.object({}),
  operations: { settle, decode },
  serves: {
    settle: async ({ requester }, { caller }) => {
      asked.push({ caller, requester })
      if (isSpent) return refuse('gas_budget_spent', { details: { scope: 'payee' }, retryAfterSeconds: 77 })
      return { success: true, transaction: '0x', network: 'eip155:31337' }
    },
    decode: async (_input, { payment }) => {
      payers.push(payment?.requester)
      return refuse('gas_budget_spent', { details: { scope: 'requester' }, retryAfterSeconds: 77 })
    },
  },
})

let edge: Edge

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [facilitator] })
})
afterAll(() => edge.stop())

test('POST /x402/decode: the facilitator learns from where a payment to us comes', async () => {
  const address = '0x1111111111111111111111111111111111111111'
  const amounts = { amount: '1000', asset: address, payTo: address, maxTimeoutSeconds: 60 }
  const accepted = { scheme: 'exact', network: 'eip155:31337', ...amounts, extra: {} }
  const requester = { address: '198.51.100.1', userAgent: null }
  const payment = { x402Version: 2, accepted, payload: {}, requester }
  const answer = await fetch(`${edge.base}/x402/decode`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'payment-signature': encodeHeader(payment),
      'user-agent': 'buyer/1',
    },
    body: JSON.stringify({ header: 'anything' }),
  })
  expect(answer.status).toBe(429)
  expect(payers).toEqual([{ address: '127.0.0.1', userAgent: 'buyer/1' }])
})

const body = { x402Version: 2, paymentPayload: {}, paymentRequirements: {} }

async function ask(headers: Record<string, string> = {}, more: object = {}) {
  const answer = await fetch(`${edge.base}/x402/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, ...more }),
  })
  return { answer, last: asked.at(-1) }
}

describe('POST /x402/settle', () => {
  test('anyone may ask; the facilitator learns from where, which no client can claim itself', async () => {
    const { answer, last } = await ask({}, { requester: { address: '198.51.100.1', userAgent: 'x' } })
    expect(answer.status).toBe(200)
    expect(last).toMatchObject({ caller: { kind: 'anonymous' }, requester: { address: '127.0.0.1' } })
  })

  test('an API key identifies its owner', async () => {
    const cookie = await edge.signIn(2)
    const { answer, last } = await ask({ authorization: `Bearer ${(await edge.newKey(cookie)).key}` })
    expect(answer.status).toBe(200)
    expect(last?.caller).toMatchObject({ kind: 'api_key', owner: expect.stringMatching(/^0x/) })
  })

  test('a worthless credential counts as none', async () => {
    const { answer, last } = await ask({ authorization: 'Bearer cb_nothing' })
    expect(answer.status).toBe(200)
    expect(last?.caller).toEqual({ kind: 'anonymous' })
  })

  test('429 gas_budget_spent says whose budget it is and when to come back', async () => {
    isSpent = true
    const { answer } = await ask()
    isSpent = false
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('77')
    expect(await answer.json()).toMatchObject({ error: 'gas_budget_spent', scope: 'payee' })
  })
})
