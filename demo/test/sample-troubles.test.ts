import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { API_NAMES, APIS, type Asking, all, asking, framesIn, type Loose } from './asking.ts'

let sample: Asking
beforeAll(async () => {
  sample = await asking()
})
afterAll(() => sample.close())

describe.each(API_NAMES)('%s', (name) => {
  const { path, body, text, usage, piece } = APIS[name]
  const streamed = { ...body('sample-small'), stream: true, stream_options: { include_usage: true } }
  const ask = (trouble: string, more = {}) => sample.post(path, { ...body(`sample-small:${trouble}`), ...more })
  const stream = (trouble: string) => sample.stream(path, streamed, { 'x-sample-trouble': trouble })
  const whole = async (trouble: string): Promise<Loose> => (await ask(trouble)).json()
  const plain = async () => (await sample.post(path, body('sample-small'))).json()
  /** The usage in the frames, wherever each API puts it. */
  const reports = (frames: readonly Loose[]) =>
    frames.flatMap((frame) => frame.usage ?? frame.response?.usage ?? frame.message?.usage ?? [])

  test.each([400, 401, 429, 500])(
    'error-%d answers with that status, requested by header or by model name',
    async (status) => {
      const asked = await sample.post(path, streamed, { headers: { 'x-sample-trouble': `error-${status}` } })
      expect([asked.status, (await ask(`error-${status}`)).status]).toEqual([status, status])
      expect((await asked.json()).error.message).toContain(String(status))
      expect(asked.headers.get('retry-after')).toBe(status === 429 ? '1' : null)
    },
  )

  test('reset ends the connection before an answer, and does not count as a client abort', async () => {
    await expect(ask('reset')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(sample.lastCall()).toMatchObject({ status: 0, aborted: false })
  })

  test('die-in-stream breaks off the answer in the middle, streamed and unstreamed', async () => {
    const answer = await sample.post(path, streamed, { headers: { 'x-sample-trouble': 'die-in-stream' } })
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow('terminated')
    expect(sample.lastCall()).toMatchObject({ aborted: false, frames: expect.toSatisfy((frames) => frames > 3) })
    await expect(whole('die-in-stream')).rejects.toThrow('terminated')
  })

  test('error-in-stream ends a stream with an error, and an unstreamed call with a 500', async () => {
    const frames = await stream('error-in-stream')
    expect(frames.at(-1).error?.message ?? frames.at(-1).message).toBe('The answer broke off.')
    expect(frames.map(piece).join('').length).toBeGreaterThan(10)
    expect((await ask('error-in-stream')).status).toBe(500)
  })

  test('no-usage reports no usage', async () => {
    expect(reports(await stream('no-usage'))).toEqual([])
    expect(usage(await whole('no-usage')) ?? undefined).toBeUndefined()
  })

  test('usage-twice ends a stream with two equal reports', async () => {
    const [last, before] = reports(await stream('usage-twice')).reverse()
    expect(last).toBeDefined()
    expect(before).toEqual(last)
  })

  test('usage-negative and usage-huge report impossible usage', async () => {
    const { input, output } = usage(await plain())
    expect(usage(await whole('usage-negative'))).toEqual({ input: -input, output: -output })
    expect(usage(await whole('usage-huge'))).toEqual({ input: 2 ** 52, output: 2 ** 52 - 1 })
    expect(reports(await stream('usage-huge')).length).toBeGreaterThan(0)
  })

  test('usage-only-end reports usage only with the finish reason', async () => {
    const frames = await stream('usage-only-end')
    expect(reports(frames).length).toBe(1)
    const end = frames.find((frame) => reports([frame]).length === 1)
    expect(end.choices?.[0].finish_reason ?? end.delta?.stop_reason ?? end.response.status).toMatch(
      /stop|end_turn|completed/,
    )
  })

  test('cached splits the prompt tokens and keeps their sum', async () => {
    const { usage: cached } = await whole('cached')
    const { usage: fresh } = await plain()
    const details = cached.prompt_tokens_details ?? cached.input_tokens_details
    const read = details?.cached_tokens ?? cached.cache_read_input_tokens
    const written = details?.cache_write_tokens ?? cached.cache_creation_input_tokens
    const total = cached.prompt_tokens ?? cached.input_tokens + (details ? 0 : read + written)
    expect(total).toBe(fresh.prompt_tokens ?? fresh.input_tokens)
    expect([read, written]).toEqual([total >> 1, total >> 2])
  })

  test('split-utf8 cuts characters between chunks, and loses none of them', async () => {
    const answer = await sample.post(path, streamed, { headers: { 'x-sample-trouble': 'split-utf8' } })
    const chunks = await all(answer.body as ReadableStream<Uint8Array>)
    expect(chunks.some((chunk) => chunk.length > 0 && Number(chunk.at(-1)) >= 0xc0)).toBe(true)
    const joined = framesIn(Buffer.concat(chunks).toString()).map(piece).join('')
    expect(joined).toContain('Zoë pays 5 € for a café in 東京 🙂.')
    expect(joined).toBe(text(await whole('split-utf8')))
  })

  test('endless-line sends no line break and stops when the client leaves', async () => {
    const answer = await sample.post(path, streamed, { headers: { 'x-sample-trouble': 'endless-line' } })
    let bytes = 0
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
      expect(Buffer.from(chunk).includes('\n')).toBe(false)
      bytes += chunk.length
      if (bytes > 1_000_000) break
    }
    await vi.waitFor(() => expect(sample.lastCall().aborted).toBe(true))
  })

  test.each(['slow-first:delay-80', 'delay-80'])('%s waits before the first byte', async (trouble) => {
    const startedAt = performance.now()
    await ask(trouble)
    expect(performance.now() - startedAt).toBeGreaterThan(78)
  })
})

describe('a client that goes away', () => {
  const { path, body } = APIS.chat
  const seen = async (wentAtMs: number) => {
    const call = sample.lastCall()
    await vi.waitFor(() => expect(call.aborted).toBe(true))
    expect(Number(call.abortedAtMs) - wentAtMs).toBeLessThan(250)
    return call
  }

  test.each(['silence', 'slow-first', 'delay-30000'])(
    'is noticed while an unstreamed call waits: %s',
    async (trouble) => {
      const client = new AbortController()
      const before = sample.calls.length
      const asked = sample.post(path, body(`sample-small:${trouble}`), { signal: client.signal })
      await vi.waitFor(() => expect(sample.calls[before]?.body).toBeDefined())
      const wentAtMs = performance.now()
      client.abort()
      await expect(asked).rejects.toThrow('aborted')
      expect(await seen(wentAtMs)).toMatchObject({ status: 0, frames: 0 })
    },
  )

  test('ends a stream after the frame being sent', async () => {
    const client = new AbortController()
    const asked = { ...body('sample-large'), stream: true }
    const headers = { 'x-sample-delay-ms': '20' }
    await sample.post(path, asked, { signal: client.signal, headers })
    await vi.waitFor(() => expect(sample.lastCall().frames).toBeGreaterThan(3))
    const wentAtMs = performance.now()
    client.abort()
    const { frames } = { ...(await seen(wentAtMs)) }
    expect(frames).toBeLessThan(20)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sample.lastCall().frames).toBe(frames)
  })
})

test('400 for an unknown trouble', async () => {
  const { path, body } = APIS.chat
  expect((await sample.post(path, body('sample-small:flood'))).status).toBe(400)
})
