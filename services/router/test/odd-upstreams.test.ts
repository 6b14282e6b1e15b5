import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { until } from '@callboard/testkit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { WINDOW } from '../src/domain/breaker.ts'
import { SseScanner } from '../src/domain/sse.ts'
import { openStage, PLENTY, type SettledCall, type Stage } from './stage.ts'
import { priceOf } from './surfaces.ts'

const COMPLETION = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'odd' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
}
const USED = { fresh: 10, cacheRead: 0, cacheWrite: 0, output: 3 }
const usage = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 }
const chunk = (more: object) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...more })}`
const EVENTS = [
  chunk({ choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: null }] }),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  chunk({ choices: [], usage }),
  'data: [DONE]',
]

/** A usage of an upstream that counts nothing. */
const ZERO = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

const FAILED = [
  {
    ...{ index: 0, message: { role: 'assistant', content: 'Yes' }, delta: { content: 'Yes' }, finish_reason: 'error' },
    error: { code: 502, message: 'The model is down.' },
  },
]
const FAILED_RESPONSE = {
  ...{ id: 'resp_1', object: 'response', model: 'odd', output: [], status: 'failed' },
  error: { code: 'server_error', message: 'The model is down.' },
}

/** A response with the alternatives to each of its tokens, as its client may ask for them. */
const logprobs = Array.from({ length: 1_000 }, () => ({
  ...{ token: 'word', logprob: -0.5, bytes: [119, 111, 114, 100] },
  top_logprobs: Array.from({ length: 20 }, () => ({
    token: 'other',
    logprob: -1.25,
    bytes: [111, 116, 104, 101, 114],
  })),
}))
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}`
const LONG_RESPONSE = [
  event('response.output_text.delta', { item_id: 'msg_1', delta: 'word '.repeat(1_000) }),
  event('response.output_text.done', { item_id: 'msg_1', text: 'word '.repeat(1_000), logprobs }),
  event('response.completed', { response: { status: 'completed', usage: { input_tokens: 10, output_tokens: 300 } } }),
]

const answer = (status: number, type: string, body: string) => (res: ServerResponse) =>
  res.writeHead(status, { 'content-type': type }).end(body)
const stream = (end: (res: ServerResponse) => void, text: string) => (res: ServerResponse) => {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.write(text, () => end(res))
}

/** How many answers were given up because they were not read. */
let givenUp = 0

const OF_REQUEST = 'an error that the request brings about'
const STREAM_OF_REQUEST = 'a stream that ends with an error that the request brings about'

/** Answers of upstreams that no API has, by model name. */
const ODD: Readonly<Record<string, (res: ServerResponse) => void>> = {
  'a page': answer(200, 'text/html', '<h1>Sign in</h1>'),
  'an empty answer': answer(200, 'application/json', ''),
  'an answer': answer(200, 'application/json', JSON.stringify({ ...COMPLETION, usage })),
  'a stream': stream((res) => res.end(), `${EVENTS.join('\n\n')}\n\n`),
  'an object': answer(200, 'application/json', JSON.stringify({ usage })),
  'an error that is called a success': answer(
    200,
    'application/json',
    JSON.stringify({ error: { code: 502, message: 'The model is down.' } }),
  ),
  'a failed response': answer(
    200,
    'application/json',
    JSON.stringify({ ...FAILED_RESPONSE, usage: { input_tokens: 10, output_tokens: 3, total_tokens: 13 } }),
  ),
  'a choice that is an error': answer(
    200,
    'application/json',
    JSON.stringify({ ...COMPLETION, usage, choices: FAILED }),
  ),
  [OF_REQUEST]: answer(
    200,
    'application/json',
    JSON.stringify({ error: { code: 400, message: 'The prompt is too long.' } }),
  ),
  [STREAM_OF_REQUEST]: stream(
    (res) => res.end(),
    `${EVENTS[0]}\n\n${chunk({ error: { code: 400, message: 'The prompt is too long.' } })}\n\n`,
  ),
  'a list': answer(200, 'application/json', '[]'),
  'a failure in words of its own': answer(
    200,
    'application/json',
    JSON.stringify({ choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
  ),
  'a stream that nobody asked for': answer(200, 'text/event-stream', `${EVENTS.join('\n\n')}\n\n`),
  'a redirect': (res) => res.writeHead(302, { location: 'http://192.0.2.1/' }).end(),
  silence: () => {},
  'half an answer': (res) => res.writeHead(200, { 'content-type': 'application/json' }).write('{"object":'),
  'a reset in an answer': (res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).write('{"object":', () => res.destroy()),
  'a reset in a stream': stream((res) => res.destroy(), `${EVENTS[0]}\n\n`),
  'half a stream': stream(() => {}, `${EVENTS[0]}\n\n`),
  'an answer in place of a stream': answer(200, 'application/json', JSON.stringify({ ...COMPLETION, usage })),
  'a stream without its end': stream((res) => res.end(), `${EVENTS.slice(0, 3).join('\n\n')}\n\n`),
  'a stream whose choice is an error': stream(
    (res) => res.end(),
    `${[EVENTS[0], chunk({ choices: FAILED }), EVENTS[2], EVENTS[3]].join('\n\n')}\n\n`,
  ),
  'the end of a stream': stream((res) => res.end(), `: ping\n\n${EVENTS[3]}\n\n`),
  'an event that is cut off': stream((res) => res.end(), `${EVENTS[0]}\n\n${EVENTS[1]?.slice(0, 60)}`),
  'an event that lacks its end': stream((res) => res.end(), `${EVENTS[0]}`),
  'an error, and then silence': stream(
    () => {},
    `${EVENTS[0]}\n\n${chunk({ error: { message: 'The model is down.' } })}\n\n`,
  ),
  'an input of a client’s own tool, and then silence': stream(
    () => {},
    `${chunk({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, type: 'custom', custom: { name: 'note', input: 'Yes.' } }] } }] })}\n\n`,
  ),
  'the name of a tool, and then silence': stream(
    () => {},
    `${chunk({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: '1', type: 'function', function: { name: 'weather', arguments: '' } }] } }] })}\n\n`,
  ),
  'a response whose last events repeat all of it': stream((res) => res.end(), `${LONG_RESPONSE.join('\n\n')}\n\n`),
  'a reset after the end': stream((res) => res.destroy(), `${EVENTS.join('\n\n')}\n\n`),
  'an answer until it is no longer read': (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = `${EVENTS[0]}\n\n`.repeat(1_000)
    const write = () => {
      while (res.write(events)) {}
      const patience = setTimeout(() => {
        givenUp += 1
        res.destroy()
      }, 3_000)
      res.once('drain', () => {
        clearTimeout(patience)
        write()
      })
    }
    write()
  },
  'a claim of more than was said': answer(
    200,
    'application/json',
    JSON.stringify({ ...COMPLETION, usage: { prompt_tokens: 30, completion_tokens: 5_000, total_tokens: 5_030 } }),
  ),
  'a usage of zero': answer(200, 'application/json', JSON.stringify({ ...COMPLETION, usage: ZERO })),
  'a stream with a usage of zero': stream(
    (res) => res.end(),
    `${[EVENTS[0], EVENTS[1], chunk({ choices: [], usage: ZERO }), EVENTS[3]].join('\n\n')}\n\n`,
  ),
  'a usage some time after the finish': stream(
    (res) => setTimeout(() => res.end(`${EVENTS.slice(2).join('\n\n')}\n\n`), 300),
    `${EVENTS.slice(0, 2).join('\n\n')}\n\n`,
  ),
  'other line ends and comments': stream(
    (res) => res.end(),
    `: ping\r\n\r\n${EVENTS.join('\r\n\r\n: ping\r\n\r\n')}\r\n\r\n`,
  ),
}

/** Upstreams of which the first never gives an answer of its API, and the second always does. */
const FIRST = [
  ['a page', 'an answer'],
  ['a choice that is an error', 'an answer'],
  ['a reset in an answer', 'an answer'],
  ['a stream without its end', 'a stream'],
  ['a reset in a stream', 'a stream'],
  ['a stream whose choice is an error', 'a stream'],
] as const

let server: Server
let stage: Stage
beforeAll(async () => {
  server = createServer(async (req, res) => {
    const { model } = (await json(req)) as { model: string }
    ODD[model]?.(res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const alone = Object.keys(ODD).map((id) => ({ id, asks: [id] as const, shape: 'openai' as const }))
  const models = [
    ...alone,
    ...[OF_REQUEST, STREAM_OF_REQUEST].map(
      (odd) => ({ id: `${odd} first`, asks: [odd, 'an answer'], shape: 'openai' }) as const,
    ),
    ...FIRST.map(([odd, good]) => ({ id: `${odd} first`, asks: [odd, good], shape: 'openai' }) as const),
  ]
  stage = await openStage(inject('postgresUrl'), { models, upstreamUrl, patienceMs: 500 })
})
afterAll(async () => {
  await stage.close()
  server.closeAllConnections()
  server.close()
})

/** Messages are answered through a chat of the same upstream. */
const PATHS = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' } as const
const SURFACES = ['chat', 'messages'] as const

async function made(surface: keyof typeof PATHS, model: string, streamed: boolean) {
  const key = await stage.fundedKey(PLENTY)
  const prompt =
    surface === 'responses' ? { input: 'Is it?' } : { max_tokens: 100, messages: [{ role: 'user', content: 'Is it?' }] }
  const response = await stage.post(key, PATHS[surface], { model, ...prompt, stream: streamed })
  const text = await response.text()
  const [call] = await stage.calls(key.owner)
  expect(await stage.balance(key.owner)).toEqual({ purchased: PLENTY, spent: call?.cost, held: 0n })
  expect(await stage.faults()).toEqual([])
  return { status: response.status, text, call }
}

/** The data of each event, as its client reads it. */
const dataIn = (text: string) =>
  new SseScanner().push(Buffer.from(text)).flatMap(({ data = '[DONE]' }) => (data === '[DONE]' ? [] : [data]))

describe.each(SURFACES)('an invalid answer is an upstream error, and free: %s', (surface) => {
  const error = surface === 'chat' ? { code: 'upstream_error' } : { type: 'api_error' }

  test.each([
    'a page',
    'an empty answer',
    'an error that is called a success',
    'a choice that is an error',
    'a list',
    'an object',
    'a failure in words of its own',
    'a stream that nobody asked for',
    'a redirect',
    'silence',
    'half an answer',
  ])('%s', async (model) => {
    const { status, text, call } = await made(surface, model, false)
    expect(status).toBe(502)
    expect(JSON.parse(text)).toMatchObject({ error })
    expect(call).toMatchObject({ cost: 0n })
  })

  test.each([
    'an answer in place of a stream',
    'a stream without its end',
    'the end of a stream',
    'half a stream',
    'an event that is cut off',
    'an event that lacks its end',
  ])('%s', async (model) => {
    const { text, call } = await made(surface, model, true)
    for (const data of dataIn(text)) expect(() => JSON.parse(data)).not.toThrow()
    expect(text).toContain(JSON.stringify(error).slice(1, -1))
    expect(call).toMatchObject({ ending: 'broken', cost: 0n })
  })
})

test.each(FIRST)(
  'an upstream that answers %s is passed over after enough calls, as one that fails',
  async (odd, good) => {
    const calls: (SettledCall | undefined)[] = []
    for (let call = 0; call <= WINDOW.asked; call += 1)
      calls.push((await made('chat', `${odd} first`, good === 'a stream')).call)
    expect(calls[0]).toMatchObject({ upstream: 'sample', cost: 0n })
    expect(calls.at(-1)).toMatchObject({ upstream: 'second', ending: 'completed', cost: priceOf(USED) })
  },
)

test.each([
  [OF_REQUEST, false],
  [STREAM_OF_REQUEST, true],
] as const)(
  'a client whose requests bring errors about has no upstream passed over for others: %s',
  async (odd, streamed) => {
    for (let call = 0; call <= WINDOW.asked; call += 1)
      expect((await made('chat', `${odd} first`, streamed)).call).toMatchObject({ upstream: 'sample', cost: 0n })
  },
)

test.each(SURFACES)('a stream whose choice is an error names it, and is free: %s', async (surface) => {
  const { text, call } = await made(surface, 'a stream whose choice is an error', true)
  expect(text).toContain('The model is down.')
  expect(call).toMatchObject({ ending: 'broken', cost: 0n })
})

/** Leaves a stream once a text has arrived. @returns how its call ended */
async function leftAfter(surface: 'chat' | 'messages', model: string, arrived: string) {
  const key = await stage.fundedKey(PLENTY)
  const gone = new AbortController()
  const body = { model, max_tokens: 100, messages: [{ role: 'user', content: 'Is it?' }], stream: true }
  const { body: parts } = await stage.post(key, PATHS[surface], body, { signal: gone.signal })
  let text = ''
  for await (const part of parts ?? []) {
    text += Buffer.from(part).toString()
    if (text.includes(arrived)) break
  }
  gone.abort()
  return until('the call is settled', async () =>
    (await stage.calls(key.owner)).find(({ state }) => state === 'settled'),
  )
}

test.each(SURFACES)('a client that leaves once it has read an error pays nothing: %s', async (surface) => {
  const call = await leftAfter(surface, 'an error, and then silence', 'The model is down.')
  expect(call).toMatchObject({ ending: 'broken', cost: 0n })
})

test('a client that leaves at the finish pays what the upstream says was used, hidden reasoning included', async () => {
  const call = await leftAfter('chat', 'a usage some time after the finish', '"finish_reason":"stop"')
  expect(call).toMatchObject({ ending: 'completed', estimated: false, cost: priceOf(USED) })
})

test('a client that leaves pays for the name of a tool, which may be all that it asked for', async () => {
  const { ending, cost } = await leftAfter('chat', 'the name of a tool, and then silence', 'weather')
  expect(ending).toBe('cancelled')
  expect(cost).toBeGreaterThan(0n)
})

test('a client that leaves pays for what its own tool was called with', async () => {
  const { ending, cost } = await leftAfter('chat', 'an input of a client’s own tool, and then silence', 'Yes.')
  expect(ending).toBe('cancelled')
  expect(cost).toBeGreaterThan(0n)
})

test.each(SURFACES)(
  'a client that reads nothing until its upstream gives up pays for what arrived: %s',
  async (surface) => {
    const key = await stage.fundedKey(PLENTY)
    const body = { model: 'an answer until it is no longer read', messages: [{ role: 'user', content: 'Is it?' }] }
    const before = givenUp
    const response = await stage.post(key, PATHS[surface], { ...body, max_tokens: 100, stream: true })
    await until('the upstream gives up', () => givenUp > before)
    stage.clock.advance(31_000)
    expect((await response.text()).slice(-300)).toContain('What arrived was charged.')
    const [call] = await stage.calls(key.owner)
    expect(call?.ending).toBe('cancelled')
    expect(call?.cost).toBeGreaterThan(0n)
    expect(await stage.faults()).toEqual([])
  },
)

test('an object that is not an answer of its API cannot be translated: an upstream error, and free', async () => {
  const { status, text, call } = await made('messages', 'an object', false)
  expect(status).toBe(502)
  expect(JSON.parse(text)).toMatchObject({ error: { type: 'api_error' } })
  expect(call).toMatchObject({ ending: 'broken', cost: 0n })
})

test('a response that says that it failed is an upstream error, and free', async () => {
  const { status, text, call } = await made('responses', 'a failed response', false)
  expect(status).toBe(502)
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'upstream_error' } })
  expect(call).toMatchObject({ ending: 'broken', cost: 0n })
})

test('a claim that the text does not support is charged up to the hold, and counted for its upstream', async () => {
  const { call } = await made('chat', 'a claim of more than was said', false)
  expect(call).toMatchObject({ ending: 'completed', cost: call?.held })
  await until('it is counted', async () => (await stage.counted('callboard_router_usage_disagreements_total')) === 1)
})

test.each(SURFACES)('words are counted where an upstream claims that none were used: %s', async (surface) => {
  for (const model of ['a usage of zero', 'a stream with a usage of zero']) {
    const { status, call } = await made(surface, model, model.startsWith('a stream'))
    expect(status).toBe(200)
    // Three words and the frame around them; two in the answer.
    expect(call).toMatchObject({ ending: 'completed', estimated: true, cost: priceOf({ ...USED, output: 2 }) })
  }
})

test('a response is charged, however long the events that repeat it', async () => {
  const { text, call } = await made('responses', 'a response whose last events repeat all of it', true)
  expect(text.length).toBeGreaterThan(1024 * 1024)
  expect(call).toMatchObject({ ending: 'completed', cost: priceOf({ ...USED, output: 300 }) })
})

describe.each(SURFACES)('a whole answer is charged: %s', (surface) => {
  test.each(['a reset after the end', 'other line ends and comments'])('%s', async (model) => {
    const { text, call } = await made(surface, model, true)
    expect(call).toMatchObject({ ending: 'completed', cost: priceOf(USED) })
    expect(text).toContain('Yes.')
    expect(text.trimEnd()).toMatch(surface === 'chat' ? /data: \[DONE\]$/ : /data: \{"type":"message_stop"\}$/)
  })
})
