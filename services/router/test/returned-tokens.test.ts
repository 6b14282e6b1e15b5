import { x402Facilitator } from '@callboard/contract'
import { gateway } from '@callboard/gateway'
import { service } from '@callboard/runtime'
import { encodeHeader } from '@callboard/x402'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { router } from '../src/index.ts'
import { sold } from './models-file.ts'
import { type MadeKey, openStage, PLENTY, type Stage } from './stage.ts'
import { QUESTION } from './surfaces.ts'

const ADDRESS = `0x${'1'.repeat(40)}`
const terms = (amount: string) => ({
  ...{ scheme: 'exact', network: 'eip155:31337' as const, asset: ADDRESS, payTo: ADDRESS },
  ...{ amount, maxTimeoutSeconds: 60 },
})

/** The facilitator as far as a call asks it whose payment accepts no offer. */
const facilitator = service({
  name: 'x402-facilitator',
  config: z.object({}),
  operations: { offer: x402Facilitator.offer },
  serves: {
    offer: async ({ resourceUrl: url, priceUsd = '1' }) => ({
      paymentRequired: { x402Version: 2 as const, resource: { url }, accepts: [terms(`${priceUsd}000000`)] },
      ...{ v1: null, priceUsd },
    }),
  },
})

let stage: Stage
beforeAll(async () => {
  const models = [sold('small', 'ok'), sold('small', 'silence')]
  stage = await openStage(inject('postgresUrl'), { models, modules: [facilitator, router, gateway] })
})
afterAll(() => stage.close())

const messages = [{ role: 'user', content: QUESTION }]
/** A call that is expected to use about 6,400 tokens. */
const LARGE = { model: 'small-ok', messages, max_tokens: 400, n: 16 }

const ask = (key: MadeKey, body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  stage.post(key, '/v1/chat/completions', body, {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}`, ...headers },
    ...(signal ? { signal } : {}),
  })

test('the tokens of a call that is refused with its payment return to its key’s rate once', async () => {
  const key = await stage.fundedKey(PLENTY)
  const left = async () => {
    const answer = await ask(key, { model: 'small-ok', messages, max_tokens: 1 })
    await answer.text()
    return Number(answer.headers.get('x-ratelimit-remaining-tokens'))
  }
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const asked = stage.upstream.calls.length
  ask(key, { ...LARGE, model: 'small-silence' }, {}, gone.signal).catch(() => {})
  await expect.poll(() => stage.upstream.calls.length, { timeout: 10_000 }).toBe(asked + 1)
  const before = await left()
  expect(before).toBeLessThan(95_000)

  const authorization = {
    ...{ from: ADDRESS, to: ADDRESS, value: '7', validAfter: '0', validBefore: '1', nonce: `0x${'2'.repeat(64)}` },
  }
  const payment = { x402Version: 2, accepted: terms('7'), payload: { signature: '0x', authorization } }
  const refused = await ask(key, LARGE, { 'payment-signature': encodeHeader(payment) })
  expect(refused.status).toBe(402)
  // What a small call took and has not used yet may be on its way back.
  expect(await left()).toBeLessThan(before + 1_000)
})
