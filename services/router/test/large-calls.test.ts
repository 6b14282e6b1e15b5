import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type SoldModel, sold } from './models-file.ts'
import { openStage, PLENTY, type Stage } from './stage.ts'
import { QUESTION } from './surfaces.ts'

const LIMIT = 8_000_000
const PATH = '/v1/chat/completions'
let stage: Stage

beforeAll(async () => {
  const rates = { ROUTER_TOKENS_PER_MINUTE: '1000000000', ROUTER_REQUESTS_PER_MINUTE: '1000', ROUTER_CONCURRENCY: '50' }
  // Room for three of the largest at once.
  const env = { ...rates, LARGE_REQUESTS_BYTES: '24500000' }
  const large: SoldModel = { id: 'embedding-large', asks: ['sample-embedding'], dimensions: 3_072 }
  const numbers: SoldModel = { ...large, id: 'embedding-numbers', shape: 'openai', inNumbers: true }
  const models = [sold('small', 'ok'), sold('embedding', 'ok'), large, numbers]
  stage = await openStage(inject('postgresUrl'), { models, env })
})
afterAll(() => stage.close())

/** A call whose body has a given size, from a base64 image in it. */
function bodyOf(bytes: number): string {
  const write = (data: string) => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
    ]
    return JSON.stringify({ model: 'small-ok', max_tokens: 5, messages: [{ role: 'user', content }] })
  }
  return write('A'.repeat(bytes - write('').length))
}
const post = (secret: string | undefined, body: string | ReadableStream) =>
  fetch(stage.base + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(secret ? { authorization: `Bearer ${secret}` } : {}) },
    body,
    ...(typeof body === 'string' ? {} : { duplex: 'half' }),
  } as RequestInit)
/** A body whose length is not declared. */
const chunked = (body: string) => new Blob([body]).stream() as ReadableStream

test('an answer larger than one message of the bus arrives whole', async () => {
  const key = await stage.fundedKey(PLENTY)
  const input = Array.from(
    { length: 2_000 },
    (_, at) => `${at}: ${QUESTION} Name its parts, one per line, and say who checks each of them.`,
  )
  const answer = await stage.post(key, '/v1/embeddings', { model: 'embedding-ok', input })
  const text = await answer.text()
  expect([answer.status, text.length]).toEqual([200, Number(answer.headers.get('content-length'))])
  expect(text.length).toBeGreaterThan(1024 * 1024)
  expect(JSON.parse(text).data).toHaveLength(input.length)
})

test('400 that names the field for a batch of embeddings whose answer could not be read whole; no upstream is asked', async () => {
  const key = await stage.fundedKey(PLENTY)
  const before = stage.upstream.calls.length
  const model = 'embedding-large'
  const refused = await stage.post(key, '/v1/embeddings', { model, input: Array(341).fill('map') })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: 'input', message: expect.stringContaining('at most 340 entries') } },
  ])
  expect(stage.upstream.calls).toHaveLength(before)
  for (const fewer of [
    { input: Array(340).fill('map') },
    { input: Array(2_000).fill('map'), encoding_format: 'base64' },
    { input: Array(2_000).fill('map'), dimensions: 16 },
  ])
    expect(await (await stage.post(key, '/v1/embeddings', { model, ...fewer })).json()).toHaveProperty('data')
})

test('400: base64 does not make a batch fit whose upstream sends numbers all the same', async () => {
  const key = await stage.fundedKey(PLENTY)
  const asked = { model: 'embedding-numbers', encoding_format: 'base64' }
  const refused = await stage.post(key, '/v1/embeddings', { ...asked, input: Array(341).fill('map') })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: 'input', message: 'input: must have at most 340 entries, for an answer of at most 32 MiB' } },
  ])
  const taken = await stage.post(key, '/v1/embeddings', { ...asked, input: Array(340).fill('map') })
  expect(await taken.json()).toHaveProperty('data')
})

describe('a model call larger than one message of the bus', () => {
  test('of exactly 8,000,000 bytes reaches the upstream whole, even without a Content-Length', async () => {
    const key = await stage.fundedKey(PLENTY)
    const body = bodyOf(LIMIT)
    for (const sent of [body, chunked(body)]) {
      const before = stage.upstream.calls.length
      const answer = await post(key.secret, sent)
      expect([answer.status, await answer.text()]).toMatchObject([200, expect.stringContaining('usage')])
      const asked = stage.upstream.calls[before]?.body as { messages: unknown }
      expect(JSON.stringify(asked.messages)).toBe(JSON.stringify(JSON.parse(body).messages))
    }
    expect(await stage.faults()).toEqual([])
  })

  test('413 above 8,000,000 bytes, naming the limit', async () => {
    const key = await stage.fundedKey(PLENTY)
    for (const body of [bodyOf(LIMIT + 1), chunked(bodyOf(LIMIT + 1))]) {
      const answer = await post(key.secret, body)
      expect([answer.status, await answer.text()]).toMatchObject([413, expect.stringContaining('8000000 bytes')])
    }
  })

  test('400 for one of more members, objects and lists than are read, which a prompt of 50,000 parts does not have', async () => {
    const key = await stage.fundedKey(PLENTY)
    const call = { model: 'small-ok', max_tokens: 5 }
    const asked = (content: unknown, more: object = {}) =>
      post(key.secret, JSON.stringify({ ...call, ...more, messages: [{ role: 'user', content }] }))
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`member${at}`, 0]))
    for (const [answer, most] of [
      [await asked(Array(250_000).fill([])), '250000 members, objects and lists'],
      [await asked('Is it?', wide), '1000 members'],
    ] as const) {
      const message = `body: has more than ${most}`
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: { message, param: 'body' } }])
    }
    expect((await asked(Array(49_999).fill({ type: 'text', text: 'a' }))).status).toBe(200)
  })

  test('401 for a key that the Router does not know, before the body is read', async () => {
    const head = [
      `POST ${PATH} HTTP/1.1`,
      'host: x',
      'content-type: application/json',
      `authorization: Bearer sk-router-unknown`,
      `content-length: ${LIMIT}`,
    ]
    const socket = connect(Number(new URL(stage.base).port), '127.0.0.1')
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    socket.once('data', (data) => resolve(data.toString())).once('error', reject)
    expect(await promise).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
    expect((await post('sk-router-unknown', chunked(bodyOf(2_000_000)))).status).toBe(401)
  })

  test('of forty at once, each is answered or gets 503 with Retry-After, and the next one is answered', async () => {
    const key = await stage.fundedKey(PLENTY)
    const body = bodyOf(LIMIT)
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(key.secret, body)))
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeLessThan(40)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(bodies.every((text) => text.startsWith('{'))).toBe(true)
    expect((await post(key.secret, body)).status).toBe(200)
    expect(await stage.faults()).toEqual([])
  })

  test('without a key takes no capacity from those with one', async () => {
    const key = await stage.fundedKey(PLENTY)
    const sockets = Array.from({ length: 6 }, () => {
      const socket = connect(Number(new URL(stage.base).port), '127.0.0.1')
      const head = [`POST ${PATH} HTTP/1.1`, 'host: x', 'content-type: application/json', `content-length: ${LIMIT}`]
      socket.write(`${head.join('\r\n')}\r\n\r\n{`)
      return socket
    })
    // The third of them finds no budget left.
    const refused = await Promise.any(
      sockets.map(
        (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString()))),
      ),
    )
    expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d/i)
    expect((await post(key.secret, bodyOf(LIMIT))).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })
})
