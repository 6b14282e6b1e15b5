import { type Caller, x402Facilitator as operations, type Requester } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Edge, startEdge } from './edge.ts'

const { settle } = operations

/** The facilitator's calls and their callers, latest last. */
const asked: { caller: Caller; requester: Requester | undefined }[] = []
let isSpent = false

const facilitator = service({
  name: 'x402-facilitator',
  config: z.object({}),
  operations: { settle },
  serves: {
    settle: async ({ requester }, { caller }) => {
      asked.push({ caller, requester })
      if (isSpent) return refuse('gas_budget_spent', { details: { scope: 'payee' }, retryAfterSeconds: 77 })
      return { success: true, transaction: '0x', network: 'eip155:31337' }
    },
  },
})

let edge: Edge

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [facilitator] })
})
afterAll(() => edge.stop())

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
