import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type SoldModel, sold } from './models-file.ts'
import { type MadeKey, openStage, PLENTY, type SettledCall, type Stage } from './stage.ts'
import { type Asking, answersIn, priceOf, SURFACES } from './surfaces.ts'

const COMPLETIONS = ['chat', 'responses', 'messages'] as const
/** Failures of a first upstream, behind which a second one answers. */
const FAILING = ['error-500', 'error-429', 'error-401', 'reset'] as const

const withSecond = (trouble: string): SoldModel => ({
  id: `${trouble}-first`,
  asks: [`sample-small:${trouble}`, 'sample-small'],
})

let stage: Stage
beforeAll(async () => {
  const models = [
    ...['silence', 'slow-first:delay-60000'].map((trouble) => sold('small', trouble)),
    ...['delay-50', 'no-usage:delay-50'].map((trouble) => sold('large', trouble)),
    { ...sold('large', 'delay-50'), id: 'large-unbilled', unbilled: true } as const,
    ...[...FAILING, 'die-in-stream', 'error-400'].map(withSecond),
  ]
  stage = await openStage(inject('postgresUrl'), { models })
})
afterAll(() => stage.close())

/** Files of a chat, and the least tokens that they count as if nothing else says how many. */
const FILES: readonly [string, object, number][] = [
  ['an image', { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }, 1_000],
  ['a PDF', { type: 'file', file: { file_data: `data:application/pdf;base64,${'A'.repeat(160_000)}` } }, 10_000],
  ['a video at a URL', { type: 'video_url', video_url: { url: 'https://files.example/1.mp4' } }, 10_922],
]

/** Makes one call for a new owner. */
async function asked(surface: Asking, model: string, stream: boolean, more: object = {}) {
  const key = await stage.fundedKey(PLENTY)
  const gone = new AbortController()
  const { path, body } = SURFACES[surface]
  const before = stage.upstream.calls.length
  const answer = stage.post(key, path, { ...body(model), ...more, stream }, { signal: gone.signal })
  answer.catch(() => {})
  const upstreamCall = await until('the upstream is asked', () => stage.upstream.calls[before])
  return { key, answer, gone, upstreamCall }
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

describe('a client that disconnects', () => {
  const before = COMPLETIONS.flatMap((surface) =>
    ['small-silence', 'small-slow-first:delay-60000'].flatMap((model) =>
      [true, false].map((stream) => ({ surface, model, stream })),
    ),
  )
  test.each(before)('before the first byte pays nothing: $surface, $model, stream $stream', async (row) => {
    const { key, gone, upstreamCall } = await asked(row.surface, row.model, row.stream)
    gone.abort()
    await until('the upstream sees it', () => upstreamCall.aborted)
    expect(await settled(key)).toMatchObject({ ending: 'cancelled', cost: 0n })
  })

  test.each(COMPLETIONS)('in a stream pays for what came so far, and the upstream call stops: %s', async (surface) => {
    const { key, answer, gone, upstreamCall } = await asked(surface, 'large-no-usage:delay-50', true)
    await until('some of the answer', () => upstreamCall.frames > 8)
    await readSome(await answer)
    expect(await stage.counted('callboard_router_streams_open')).toBe(1)
    expect(await stage.counted('callboard_http_streams_open')).toBe(1)
    gone.abort()
    await until('the upstream sees it', () => upstreamCall.aborted)
    const call = await settled(key)
    for (const gauge of ['callboard_router_streams_open', 'callboard_http_streams_open'])
      await until('no stream is open', async () => (await stage.counted(gauge)) === 0)
    expect(call).toMatchObject({ ending: 'cancelled', estimated: true, upstream: upstreamOf(surface) })
    expect(call.cost).toBeGreaterThan(0n)
    expect(call.cost).toBeLessThan(call.held)
  })

  test.each(COMPLETIONS)(
    'pays for what came even though its upstream does not bill an abandoned answer: %s',
    async (surface) => {
      const { key, answer, gone, upstreamCall } = await asked(surface, 'large-unbilled', true)
      await until('some of the answer', () => upstreamCall.frames > 8)
      await readSome(await answer)
      gone.abort()
      const { cost, held, ending } = await settled(key)
      expect(ending).toBe('cancelled')
      expect(cost).toBeGreaterThan(0n)
      expect(cost).toBeLessThan(held)
    },
  )

  test.each(FILES)('pays for a file in its request: %s', async (_, file, least) => {
    const content = [{ type: 'text', text: 'What is in it?' }, file]
    const { key, answer, gone, upstreamCall } = await asked('chat', 'large-no-usage:delay-50', true, {
      messages: [{ role: 'user', content }],
    })
    await until('some of the answer', () => upstreamCall.frames > 8)
    await readSome(await answer)
    gone.abort()
    const { cost, held, ending } = await settled(key)
    expect(ending).toBe('cancelled')
    expect(cost).toBeGreaterThanOrEqual(priceOf({ fresh: least, cacheRead: 0, cacheWrite: 0, output: 0 }))
    expect(cost).toBeLessThan(held)
  })

  test('in a stream whose start reports the input pays for it as the upstream counted it, and for the output', async () => {
    const { key, answer, gone, upstreamCall } = await asked('messages', 'large-delay-50', true)
    await until('some of the answer', () => upstreamCall.frames > 8)
    const [start] = answersIn((await readSome(await answer)).split('\n\n', 1).join())
    gone.abort()
    const input = priceOf({ ...SURFACES.messages.told([start]), output: 0 })
    const { cost, ending } = await settled(key)
    expect(ending).toBe('cancelled')
    expect(cost).toBeGreaterThan(input)
    expect(cost).toBeLessThan(input + priceOf({ fresh: 0, cacheRead: 0, cacheWrite: 0, output: 200 }))
  })
})

describe('a second upstream', () => {
  const rows = FAILING.flatMap((trouble) =>
    COMPLETIONS.flatMap((surface) => [true, false].map((stream) => ({ trouble, surface, stream }))),
  )
  test.each(rows)('answers when the first one fails before a byte: $surface, stream $stream: $trouble', async (row) => {
    const { key, answer } = await asked(row.surface, `${row.trouble}-first`, row.stream)
    const text = await (await answer).text()
    expect((await answer).status).toBe(200)
    const told = SURFACES[row.surface].told(answersIn(text))
    const { ending, upstream, cost } = await settled(key)
    expect({ ending, upstream, cost }).toEqual({
      ...{ ending: 'completed', upstream: secondOf(row.surface), cost: priceOf(told) },
    })
  })

  test.each(COMPLETIONS)('is not asked when the first one fails during its answer: %s', async (surface) => {
    const before = stage.upstream.calls.length
    const { key, answer } = await asked(surface, 'die-in-stream-first', true)
    expect(await (await answer).text()).toMatch(/upstream_error|api_error/)
    expect(await settled(key)).toMatchObject({ ending: 'broken', cost: 0n, upstream: upstreamOf(surface) })
    expect(stage.upstream.calls).toHaveLength(before + 1)
  })

  test('is not asked when the first one refuses the request itself', async () => {
    const before = stage.upstream.calls.length
    const { key, answer } = await asked('chat', 'error-400-first', false)
    expect((await answer).status).toBe(400)
    expect(await settled(key)).toMatchObject({ ending: 'failed_before_output', cost: 0n })
    expect(stage.upstream.calls).toHaveLength(before + 1)
  })
})

const upstreamOf = (surface: Asking) => (surface === 'messages' ? 'sample-messages' : 'sample')
const secondOf = (surface: Asking) => (surface === 'messages' ? 'second-messages' : 'second')

/** The part of an answer that has arrived so far. */
async function readSome({ body }: Response): Promise<string> {
  const { value } = (await body?.getReader().read()) ?? {}
  return new TextDecoder().decode(value)
}
