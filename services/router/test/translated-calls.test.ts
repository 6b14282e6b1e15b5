import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type SoldModel, sold } from './models-file.ts'
import { type MadeKey, openStage, PLENTY, type SettledCall, type Stage } from './stage.ts'
import { answersIn, priceOf, SURFACES } from './surfaces.ts'

const ACROSS = ['chat', 'responses', 'messages'] as const
type Across = (typeof ACROSS)[number]
const OTHER = { chat: 'anthropic', responses: 'anthropic', messages: 'openai' } as const

/** Failures of upstreams of a surface's own shape before a byte is answered. */
const FAILING = ['error-500', 'error-429', 'error-401', 'reset'] as const
const SLOW = ['silence', 'slow-first:delay-60000'] as const

/** A model that a surface can only reach through translation. */
const across = (surface: Across, trouble: string): SoldModel => ({
  ...{ id: `${surface}-${trouble}`, asks: [`sample-large:${trouble}`], shape: OTHER[surface] },
})

/** A model whose upstreams of the surface's own shape fail, and whose others answer. */
const failing = (surface: Across, trouble: string): SoldModel => ({
  ...{ id: `${surface}-own-${trouble}`, asks: [`sample-small:${trouble}`] },
  instead: { [OTHER[surface]]: 'sample-small' },
})

let stage: Stage
beforeAll(async () => {
  const models = ACROSS.flatMap((surface) => [
    ...[...SLOW, 'no-usage:delay-50', 'delay-50'].map((trouble) => across(surface, trouble)),
    ...[...FAILING, 'die-in-stream', 'error-400'].map((trouble) => failing(surface, trouble)),
  ])
  stage = await openStage(inject('postgresUrl'), { models: [...models, sold('small', 'ok')] })
})
afterAll(() => stage.close())

/** Makes one call for a new owner. */
async function asked(surface: Across, model: string, stream: boolean, more: object = {}) {
  const key = await stage.fundedKey(PLENTY)
  const gone = new AbortController()
  const { path, body } = SURFACES[surface]
  const before = stage.upstream.calls.length
  const answer = stage.post(key, path, { ...body(model), stream, ...more }, { signal: gone.signal })
  answer.catch(() => {})
  const upstreamCall = () => until('the upstream is asked', () => stage.upstream.calls[before])
  return { key, answer, gone, before, upstreamCall }
}

/** The only call of a key, once it is settled. */
async function settled(key: MadeKey): Promise<SettledCall> {
  const call = await until('the call is settled', async () =>
    (await stage.calls(key.owner)).find(({ state }) => state === 'settled'),
  )
  expect(await stage.balance(key.owner)).toEqual({ purchased: PLENTY, spent: call.cost, held: 0n })
  expect(await stage.faults()).toEqual([])
  return call
}

const nameOf = (place: 'sample' | 'second', shape: 'openai' | 'anthropic') =>
  shape === 'openai' ? place : `${place}-messages`

describe('a client that disconnects', () => {
  const before = ACROSS.flatMap((surface) =>
    SLOW.flatMap((trouble) => [true, false].map((stream) => ({ surface, trouble, stream }))),
  )
  test.each(before)('before the first byte pays nothing: $surface, $trouble, stream $stream', async (row) => {
    const { key, gone, upstreamCall } = await asked(row.surface, `${row.surface}-${row.trouble}`, row.stream)
    const call = await upstreamCall()
    gone.abort()
    await until('the upstream sees it', () => call.aborted)
    expect(await settled(key)).toMatchObject({ ending: 'cancelled', cost: 0n })
  })

  test.each(ACROSS)('in a stream pays for what came so far, and the upstream call stops: %s', async (surface) => {
    const { key, answer, gone, upstreamCall } = await asked(surface, `${surface}-no-usage:delay-50`, true)
    const call = await upstreamCall()
    await until('some of the answer', () => call.frames > 8)
    const reader = (await answer).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(
      /chat.completion.chunk|response.created|message_start/,
    )
    gone.abort()
    await until('the upstream sees it', () => call.aborted)
    const paid = await settled(key)
    expect(paid).toMatchObject({ ending: 'cancelled', estimated: true, upstream: nameOf('sample', OTHER[surface]) })
    expect(paid.cost).toBeGreaterThan(0n)
    expect(paid.cost).toBeLessThan(paid.held)
  })
})

describe('an upstream of the other shape', () => {
  const rows = FAILING.flatMap((trouble) =>
    ACROSS.flatMap((surface) => [true, false].map((stream) => ({ trouble, surface, stream }))),
  )
  test.each(rows)(
    'answers when those of the call’s own shape fail before a byte: $surface, stream $stream: $trouble',
    async (row) => {
      const { key, answer } = await asked(row.surface, `${row.surface}-own-${row.trouble}`, row.stream)
      const text = await (await answer).text()
      expect((await answer).status).toBe(200)
      const { ending, upstream, cost } = await settled(key)
      const told = SURFACES[row.surface].told(answersIn(text))
      expect({ ending, upstream, cost }).toEqual({
        ...{ ending: 'completed', upstream: nameOf('sample', OTHER[row.surface]), cost: priceOf(told) },
      })
    },
  )

  test.each(ACROSS)(
    'is not asked when one of the call’s own shape answers, fails during its answer, or refuses: %s',
    async (surface) => {
      for (const model of ['small-ok', `${surface}-own-die-in-stream`, `${surface}-own-error-400`]) {
        const { key, answer, before } = await asked(surface, model, true)
        await (await answer).text()
        expect(stage.upstream.calls).toHaveLength(before + 1)
        expect(stage.upstream.calls[before]?.path).toBe(SURFACES[surface].path)
        await settled(key)
      }
    },
  )
})

describe('a request that no upstream can express', () => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  test.each([
    ['chat', 'n', { n: 2 }],
    ['chat', 'response_format', { response_format: { type: 'json_object' } }],
    ['responses', 'tools', { tools: [{ type: 'web_search' }] }],
    ['messages', 'tools', { tools }],
  ] as const)('is refused by the name of its field, and costs nothing: %s, %s', async (surface, field, more) => {
    const { key, answer, before } = await asked(surface, `${surface}-delay-50`, false, more)
    expect((await answer).status).toBe(400)
    const { error } = await (await answer).json()
    expect(error.message).toContain(`${field}: `)
    if (surface !== 'messages') expect(error).toMatchObject({ param: field, type: 'invalid_request_error' })
    expect(stage.upstream.calls).toHaveLength(before)
    // Nothing was held for it, and a payment would not have been taken.
    expect(await stage.calls(key.owner)).toEqual([])
  })

  test('is answered when an upstream of its own shape can express it', async () => {
    const { answer, key } = await asked('chat', 'small-ok', false, { n: 2 })
    expect((await (await answer).json()).choices).toHaveLength(2)
    await settled(key)
  })
})
