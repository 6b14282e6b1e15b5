import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { usdText } from '../src/domain/usd.ts'
import { sold } from './models-file.ts'
import { pageFetch } from './page-fetch.ts'
import { type MadeKey, openStage, PLENTY, type Stage } from './stage.ts'
import { allOf, MODELS, PNG, soldModels } from './stock-client.ts'
import { answersIn, priceOf, QUESTION, SURFACES } from './surfaces.ts'

const TEXT = 'small-ok'
const VECTORS = 'embedding-ok'
const messages = [{ role: 'user' as const, content: QUESTION }]
const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

let stage: Stage
let key: MadeKey
let client: OpenAI
beforeAll(async () => {
  stage = await openStage(inject('postgresUrl'), { models: [...soldModels, sold('embedding', 'ok')] })
})
afterAll(() => stage.close())
beforeEach(async () => {
  key = await stage.fundedKey(PLENTY)
  client = clientOf(key.secret)
})

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${stage.base}/v1` })

/** The error with which a client's call ends. */
async function errorOf(call: Promise<unknown>): Promise<APIError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof APIError) return error
  throw new Error('The call ended with no error of the API', { cause: error })
}

describe('the stock openai package', () => {
  test('lists the models that are sold, and retrieves one', async () => {
    const ids = (await allOf(await client.models.list())).map(({ id }) => id)
    expect(ids.toSorted()).toEqual([VECTORS, ...Object.values(MODELS)].toSorted())
    expect(await client.models.retrieve(TEXT)).toMatchObject({ id: TEXT, object: 'model', owned_by: 'sample' })
  })

  test('gets embeddings as numbers, in the order of the texts', async () => {
    const { data, usage } = await client.embeddings.create({ model: VECTORS, input: ['one', 'another'] })
    expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 64],
      [1, 64],
    ])
    expect(usage.prompt_tokens).toBeGreaterThan(0)
  })

  test('works in a page of another site, which may send all of its headers and read the id of its request', async () => {
    const inPage = new OpenAI({
      ...{ apiKey: key.secret, baseURL: `${stage.base}/v1`, maxRetries: 0 },
      ...{ dangerouslyAllowBrowser: true, fetch: pageFetch },
    })
    const answer = await inPage.chat.completions.create({ model: TEXT, messages })
    expect(answer.choices[0]?.message.content).not.toBe('')
    expect(answer._request_id).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe.each([
  ['an upstream of OpenAI’s shape', MODELS.openai],
  ['an upstream of Anthropic’s shape', MODELS.anthropic],
])('the stock openai package, through %s', (_, model) => {
  test('a completion arrives whole, with its usage and its cost', async () => {
    const { data, response } = await client.chat.completions.create({ model, messages }).withResponse()
    expect(data.choices[0]?.message.content).not.toBe('')
    expect(data.choices[0]?.finish_reason).toBe('stop')
    expect(data.usage?.completion_tokens).toBeGreaterThan(0)
    expect(response.headers.get('x-callboard-call-id')).toMatch(/^[0-9a-f-]{36}$/)
    const cost = usdText(priceOf(SURFACES.chat.told([data])))
    expect(response.headers.get('x-callboard-cost-usd')).toBe(cost)
  })

  test('a stream ends with usage for a client that asked for it, and has none for one that did not', async () => {
    const asked = { model, messages, stream: true } as const
    const told = await allOf(
      await client.chat.completions.create({ ...asked, stream_options: { include_usage: true } }),
    )
    expect(told.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } })
    const untold = await allOf(await client.chat.completions.create(asked))
    expect(untold.every((chunk) => !('usage' in chunk) && chunk.choices.length === 1)).toBe(true)
    const textOf = (chunks: typeof told) => chunks.map(({ choices: [one] }) => one?.delta.content ?? '').join('')
    expect(textOf(untold)).toBe(textOf(told))
    const [one, other] = await stage.calls(key.owner)
    expect(other?.cost).toBe(one?.cost)
  })

  test('a tool call is streamed, and its arguments are JSON', async () => {
    const content = 'Ask weather for Lisbon.'
    const stream = client.chat.completions.stream({
      model,
      messages: [{ role: 'user', content }],
      tools: [weather],
    })
    const { finish_reason, message } = (await stream.finalChatCompletion()).choices[0] ?? {}
    expect(finish_reason).toBe('tool_calls')
    const [called] = message?.tool_calls ?? []
    expect(called).toMatchObject({ type: 'function', function: { name: 'weather' } })
    expect(JSON.parse(called?.type === 'function' ? called.function.arguments : '')).toHaveProperty('city')
  })

  test('a response has the same text whole and streamed', async () => {
    const whole = await client.responses.create({ model, input: QUESTION })
    expect(whole.output_text).not.toBe('')
    const events = await allOf(await client.responses.create({ model, input: QUESTION, stream: true }))
    const deltas = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
    expect(deltas.join('')).toBe(whole.output_text)
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { usage: whole.usage } })
  })

  test('a response calls a tool, whole and streamed, and its result is answered', async () => {
    const tools = [
      { type: 'function' as const, name: 'weather', strict: false, parameters: weather.function.parameters },
    ]
    const asked = { model, tools, input: 'Ask weather for Lisbon.' }
    const whole = await client.responses.create(asked)
    const streamed = await client.responses.stream(asked).finalResponse()
    const [called] = whole.output.filter((item) => item.type === 'function_call')
    const [again] = streamed.output.filter((item) => item.type === 'function_call')
    expect(called).toMatchObject({ name: 'weather', status: 'completed', call_id: expect.stringMatching(/./) })
    expect(JSON.parse(called?.arguments ?? '')).toEqual({ city: expect.any(String) })
    expect(again?.arguments).toBe(called?.arguments)
    const output = { type: 'function_call_output' as const, call_id: called?.call_id ?? '', output: 'Sun, 24 degrees' }
    const answered = await client.responses.create({
      ...{ model, tools },
      input: [{ role: 'user', content: asked.input }, ...whole.output, output] as OpenAI.Responses.ResponseInput,
    })
    expect(answered.output_text).not.toBe('')
  })

  test('a schema, an image and a length are passed on', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    }
    const described = { name: 'place', strict: true, schema }
    const answer = await client.chat.completions.create({
      ...{ model, messages, response_format: { type: 'json_schema', json_schema: described } },
    })
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ city: expect.any(String) })
    const cut = await client.chat.completions.create({
      ...{ model, max_completion_tokens: 5 },
      messages: [
        { role: 'developer', content: 'Answer in one sentence.' },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] },
      ],
    })
    expect(cut.usage).toMatchObject({ completion_tokens: 5 })
    expect(cut.usage?.prompt_tokens).toBeGreaterThan(85)
    expect(cut.choices[0]?.finish_reason).toBe('length')
    const response = await client.responses.create({
      ...{ model, input: QUESTION, text: { format: { type: 'json_schema', ...described } } },
    })
    expect(JSON.parse(response.output_text)).toEqual({ city: expect.any(String) })
  })
})

describe('the errors of the stock openai package', () => {
  const create = (by: OpenAI, body = {}) => by.chat.completions.create({ model: TEXT, messages, ...body })

  test('an unknown key is an AuthenticationError with our message and code', async () => {
    const error = await errorOf(create(clientOf('cb_router_unknown')))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error).toMatchObject({ status: 401, code: 'unauthorized', type: 'authentication_error' })
    expect(error.message).toMatch(/^401 .{10}/)
  })

  test('a 402 is not retried', async () => {
    const poor = await stage.key()
    const before = await takenOperations()
    const error = await errorOf(create(clientOf(poor.secret)))
    expect(error).toMatchObject({ status: 402, code: 'insufficient_quota', type: 'insufficient_quota' })
    expect(error.headers?.get('retry-after')).toBeNull()
    expect(await takenOperations()).toBe(before + 1)
  })

  test('a model that is not sold, or not for this route, is a NotFoundError', async () => {
    for (const model of ['gpt-unknown', VECTORS]) {
      const error = await errorOf(create(client, { model }))
      expect(error).toBeInstanceOf(OpenAI.NotFoundError)
      expect(error).toMatchObject({ code: 'model_not_found', param: 'model' })
    }
    expect(await errorOf(client.models.retrieve('gpt-unknown'))).toMatchObject({ code: 'model_not_found' })
  })

  test.each([
    ['messages', { messages: [] }],
    ['max_tokens', { max_tokens: 0 }],
    ['n', { n: 17 }],
    ['model', { model: '' }],
    ['stream', { stream: 'yes' }],
  ])('an invalid request is a BadRequestError that names its field: %s', async (param, body) => {
    const error = await errorOf(create(client, body))
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ code: 'invalid_request', param, type: 'invalid_request_error' })
  })

  test('the upstream’s objection to a request is passed on, and costs nothing', async () => {
    const error = await errorOf(client.embeddings.create({ model: VECTORS, input: 'one', dimensions: 65 }))
    expect(error).toMatchObject({ status: 400, param: 'dimensions' })
    expect(await stage.balance(key.owner)).toMatchObject({ spent: 0n, held: 0n })
  })

  /** The number of chat completions that the Router was asked for. */
  async function takenOperations(): Promise<number> {
    const metric = await stage.services.metrics.registry.getSingleMetric('callboard_operation_duration_seconds')?.get()
    const ours = metric?.values.filter(
      ({ labels, metricName }: { labels: Partial<Record<string, unknown>>; metricName?: string }) =>
        labels.operation === 'router.createChatCompletion' && metricName?.endsWith('_count'),
    )
    return (ours ?? []).reduce((sum, { value }) => sum + value, 0)
  }
})

describe('an Anthropic client', () => {
  const body = { model: TEXT, max_tokens: 100, messages }
  const ways = [
    ['x-api-key', '/v1/messages', (secret: string) => ({ 'x-api-key': secret, 'anthropic-version': '2023-06-01' })],
    ['a bearer', '/v1/messages?beta=true', (secret: string) => ({ authorization: `Bearer ${secret}` })],
  ] as const

  const ask = (path: string, headers: Record<string, string>, more = {}) =>
    fetch(stage.base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...body, ...more }),
    })

  test.each(ways)('gets a message whole, and streamed to the same text, with %s', async (_, path, headersOf) => {
    const whole = await (await ask(path, headersOf(key.secret))).json()
    expect(whole).toMatchObject({ type: 'message', role: 'assistant', content: [{ type: 'text' }] })
    const streamed = await ask(path, headersOf(key.secret), { stream: true })
    expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = answersIn(await streamed.text())
    expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe(whole.content[0].text)
    expect(events[0].type).toBe('message_start')
    expect(events.at(-1)).toEqual({ type: 'message_stop' })
  })

  test.each([
    ['authentication_error', 401, { 'x-api-key': 'cb_router_unknown' }, {}],
    ['not_found_error', 404, undefined, { model: 'claude-unknown' }],
    ['invalid_request_error', 400, undefined, { max_tokens: undefined }],
  ])('gets errors in its own shape: %s', async (type, status, headers, more) => {
    const answer = await ask('/v1/messages', headers ?? { 'x-api-key': key.secret }, more)
    expect(answer.status).toBe(status)
    const { error, ...rest } = await answer.json()
    expect(rest).toEqual({ type: 'error', request_id: answer.headers.get('request-id') })
    expect(error).toMatchObject({ type, message: expect.any(String) })
  })
})
