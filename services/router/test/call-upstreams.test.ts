import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FAILURES, PAUSE } from '../src/domain/breaker.ts'
import type { SoldModel } from './models-file.ts'
import { openStage, PLENTY, type Stage } from './stage.ts'
import { priceOf, SURFACES } from './surfaces.ts'

const withSecond = (trouble: string): SoldModel => ({
  id: `${trouble}-first`,
  asks: [`sample-small:${trouble}`, 'sample-small'],
  shape: 'openai',
})

let stage: Stage
beforeAll(async () => {
  const models = [
    ...[withSecond('error-500'), withSecond('silence'), withSecond('delay-60000'), withSecond('error-401')],
    { ...withSecond('unknown'), asks: ['no-such-model', 'sample-small'] as const },
    { id: 'unknown', asks: ['no-such-model'] as const },
    { id: 'refused', asks: ['sample-small:error-401'] as const },
  ]
  stage = await openStage(inject('postgresUrl'), { models, hedgeAfterMs: 300 })
})
afterAll(() => stage.close())

const { path, body, told } = SURFACES.chat

/** Makes a call for a new owner. @returns what its upstream reported, and how it was settled */
async function called(model: string) {
  const key = await stage.fundedKey(PLENTY)
  const answer = await stage.post(key, path, { ...body(model), stream_options: undefined })
  expect(answer.status).toBe(200)
  const cost = priceOf(told([await answer.json()]))
  const call = await until('the call is settled', async () =>
    (await stage.calls(key.owner)).find(({ state }) => state === 'settled'),
  )
  expect(await stage.balance(key.owner)).toEqual({ purchased: PLENTY, spent: cost, held: 0n })
  return { call, cost }
}
const askedFor = (model: string) =>
  stage.upstream.calls.filter((call) => (call.body as { model?: string })?.model === model)

describe('an upstream that fails', () => {
  test('is passed over after some calls and tried again when its pause is over; each call is charged once', async () => {
    const failing = 'sample-small:error-500'
    for (let at = 0; at < FAILURES + 2; at += 1) {
      const { call, cost } = await called('error-500-first')
      expect(call).toMatchObject({ ending: 'completed', upstream: 'second', cost })
    }
    expect(askedFor(failing)).toHaveLength(FAILURES)
    stage.clock.advance(PAUSE.firstMs)
    await called('error-500-first')
    await called('error-500-first')
    expect(askedFor(failing)).toHaveLength(FAILURES + 1)
    expect(await stage.faults()).toEqual([])
  })

  test('is shown in the metrics, with every upstream of the file', async () => {
    await called('error-500-first')
    const { registry, collectors } = stage.services.metrics
    await collectors.collect()
    const passedOver = await registry.getSingleMetricAsString('callboard_router_upstream_passed_over')
    expect(passedOver).toContain('{model="error-500-first",upstream="sample"} 1')
    expect(passedOver).toContain('{model="error-500-first",upstream="second"} 0')
    const attempts = await registry.getSingleMetricAsString('callboard_router_upstream_attempts_total')
    expect(attempts).toMatch(/upstream="sample",outcome="failed"} [1-9]/)
    expect(attempts).toContain('{upstream="second-messages",outcome="key_refused"} 0')
  })
})

describe('a misconfiguration by the operator is not reported as the client’s fault', () => {
  test.each(['unknown-first', 'error-401-first'])('the next upstream is asked: %s', async (model) => {
    expect(await called(model)).toMatchObject({ call: { ending: 'completed', upstream: 'second' } })
  })

  test.each(
    ['unknown', 'refused'].flatMap((model) =>
      (['chat', 'messages'] as const).map((surface) => [model, surface] as const),
    ),
  )('502 where there is no other upstream, and nothing is charged: %s, %s', async (model, surface) => {
    const key = await stage.fundedKey(PLENTY)
    const answer = await stage.post(key, SURFACES[surface].path, SURFACES[surface].body(model))
    expect(answer.status).toBe(502)
    const error = surface === 'chat' ? { code: 'upstream_error' } : { type: 'api_error' }
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ error })
    expect(text).not.toContain('no-such-model')
    expect(await stage.calls(key.owner)).toMatchObject([{ ending: 'failed_before_output', cost: 0n }])
  })
})

describe('a hedged call', () => {
  test.each(['silence', 'delay-60000'])(
    'is answered by the second upstream and charged once: the first one is %s',
    async (trouble) => {
      const { call, cost } = await called(`${trouble}-first`)
      expect(call).toMatchObject({ ending: 'completed', upstream: 'second', cost })
      const [first, ...others] = askedFor(`sample-small:${trouble}`)
      expect(others).toEqual([])
      await until('the slower call is broken off', () => first?.aborted)
      expect(await stage.faults()).toEqual([])
    },
  )
})
