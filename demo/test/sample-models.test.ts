import { countTokens, encodeChat } from 'gpt-tokenizer/encoding/o200k_base'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_NAMES, APIS, type Asking, all, asking } from './asking.ts'

let sample: Asking
let client: OpenAI
beforeAll(async () => {
  sample = await asking()
  client = new OpenAI({ apiKey: 'any', baseURL: sample.url, maxRetries: 0 })
})
afterAll(() => sample.close())

const QUESTION = [{ role: 'user' as const, content: 'What is a listing?' }]
const PROMPT_TOKENS = encodeChat(QUESTION, 'gpt-4o').length
const PARAMETERS = {
  type: 'object',
  required: ['slug', 'count'],
  properties: { slug: { type: 'string' }, count: { type: 'integer', minimum: 3 }, note: { type: 'string' } },
}
const FITS = { slug: expect.any(String), count: 3 }

describe.each(API_NAMES)('%s', (name) => {
  const { path, body, text, usage, piece, limit } = APIS[name]
  const ask = async (model: string, more = {}) => (await sample.post(path, { ...body(model), ...more })).json()

  test.each(['sample-small', 'sample-large'])(
    '%s: the chunks of a stream join to the unstreamed text',
    async (model) => {
      const frames = await sample.stream(path, body(model))
      expect(frames.map(piece).join('')).toBe(text(await ask(model)))
    },
  )

  test('usage equals the count of gpt-tokenizer', async () => {
    const whole = await ask('sample-large')
    expect(usage(whole)).toEqual({ input: PROMPT_TOKENS, output: countTokens(text(whole)) })
  })

  test('the token limit ends the text and is reported as the reason', async () => {
    const whole = await ask('sample-large', { [limit]: 7 })
    expect(usage(whole).output).toBe(7)
    expect(whole.choices?.[0].finish_reason ?? whole.stop_reason ?? whole.incomplete_details.reason).toMatch(
      /^(length|max_tokens|max_output_tokens)$/,
    )
  })

  test('400 for a limit that is not a whole number, 404 for an unknown model', async () => {
    expect((await sample.post(path, { ...body('sample-small'), [limit]: 0.5 })).status).toBe(400)
    expect((await sample.post(path, body('sample-none'))).status).toBe(404)
  })
})

describe('the stock OpenAI SDK', () => {
  const chat = (more: object) =>
    client.chat.completions.create({ model: 'sample-small', messages: QUESTION, stream: false, ...more })

  test('lists the models', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id)
    expect(ids).toEqual(['sample-small', 'sample-large', 'sample-embedding'])
    expect(await client.models.retrieve('sample-small')).toMatchObject({ id: 'sample-small', object: 'model' })
  })

  test('n choices differ, and their tokens are summed', async () => {
    const { choices, usage } = await chat({ n: 3 })
    const texts = choices.map(({ message }) => message.content ?? '')
    expect(new Set(texts).size).toBe(3)
    expect(usage?.completion_tokens).toBe(texts.reduce((sum, text) => sum + countTokens(text), 0))
  })

  test('usage comes in one extra chunk without choices, and is null before it', async () => {
    const params = { model: 'sample-small', messages: QUESTION, stream: true, n: 2 } as const
    const chunks = await all(
      await client.chat.completions.create({ ...params, stream_options: { include_usage: true } }),
    )
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: PROMPT_TOKENS } })
    expect(chunks.slice(0, -1).every(({ usage, choices }) => usage === null && choices.length === 1)).toBe(true)
    const unasked = await all(await client.chat.completions.create(params))
    expect(unasked.some((chunk) => 'usage' in chunk)).toBe(false)
  })

  test('a stop sequence ends the text before the sequence', async () => {
    const [choice] = (await chat({ stop: [' the '] })).choices
    expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: expect.not.stringContaining(' the ') } })
  })

  test('a tool that the user names is called with valid arguments, streamed and unstreamed', async () => {
    const named = { type: 'function', function: { name: 'lookup', parameters: PARAMETERS } } as const
    const messages = [{ role: 'user' as const, content: 'Use lookup.' }]
    const [choice] = (await chat({ messages, tools: [named] })).choices
    const call = choice?.message.tool_calls?.[0]
    const whole = call?.type === 'function' ? call.function.arguments : ''
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(JSON.parse(whole)).toEqual(FITS)
    const chunks = await all(
      await client.chat.completions.create({ model: 'sample-small', messages, tools: [named], stream: true }),
    )
    const pieces = chunks.map(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '')
    expect(pieces.join('')).toBe(whole)
    expect((await chat({ tools: [named] })).choices[0]?.finish_reason).toBe('stop')
  })

  test('a response format is answered with a JSON object', async () => {
    const schema = { type: 'json_schema', json_schema: { name: 'found', schema: PARAMETERS } }
    const said = async (format: object) => (await chat({ response_format: format })).choices[0]?.message.content ?? ''
    expect(JSON.parse(await said(schema))).toEqual(FITS)
    expect(JSON.parse(await said({ type: 'json_object' }))).toEqual({ answer: expect.any(String) })
  })

  test('an embedding has unit length, and is the same as floats and as base64', async () => {
    const params = { model: 'sample-embedding', input: ['a listing', 'a payment'] }
    const floats = await client.embeddings.create({ ...params, encoding_format: 'float' })
    expect((await client.embeddings.create(params)).data).toEqual(floats.data)
    for (const { embedding } of floats.data)
      expect([embedding.length, Math.hypot(...embedding)]).toEqual([64, expect.closeTo(1)])
    expect(floats.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
    const tokens = await sample.post('/embeddings', { ...params, input: [[1, 2, 3], [4]] })
    expect(await tokens.json()).toMatchObject({ usage: { prompt_tokens: 4 } })
  })
})

test('the Responses API and the Messages API call a tool in their own format', async () => {
  const described = { name: 'lookup', description: '' }
  const response = await sample.post('/responses', {
    model: 'sample-small',
    input: 'Use lookup.',
    tools: [{ type: 'function', ...described, parameters: PARAMETERS }],
  })
  const { output } = await response.json()
  expect(output).toMatchObject([{ type: 'function_call', name: 'lookup' }])
  expect(JSON.parse(output[0].arguments)).toEqual(FITS)
  const ask = { model: 'sample-small', max_tokens: 99, tools: [{ ...described, input_schema: PARAMETERS }] }
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Use lookup.' }] }]
  const message = await (await sample.post('/messages', { ...ask, messages })).json()
  expect(message).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'tool_use', input: FITS }] })
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'lookup found it' }] }
  const after = await (await sample.post('/messages', { ...ask, messages: [...messages, result] })).json()
  expect(after.stop_reason).toBe('end_turn')
})

test('the token count of a prompt equals its input usage', async () => {
  const { path, body } = APIS.messages
  const count = await (
    await sample.post(`${path}/count_tokens`, { ...body('sample-small'), max_tokens: undefined })
  ).json()
  expect(count).toEqual({ input_tokens: PROMPT_TOKENS })
})

test('a wrong key gets a 401 in the format of either API, with the request’s id', async () => {
  const locked = await asking({ apiKey: 'right', seed: 2 })
  const openai = new OpenAI({ apiKey: 'wrong', baseURL: locked.url, maxRetries: 0 })
  await expect(openai.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key', requestID: /^req_/ })
  const { path, body } = APIS.messages
  const refused = await locked.post(path, body('sample-small'), { headers: { 'x-api-key': 'wrong' } })
  expect([refused.status, await refused.json()]).toEqual([
    401,
    {
      type: 'error',
      error: { type: 'authentication_error', message: expect.any(String) },
      request_id: refused.headers.get('request-id'),
    },
  ])
  const served = await locked.post(path, body('sample-small'), { headers: { 'x-api-key': 'right' } })
  const other = await sample.post(path, body('sample-small'))
  expect((await served.json()).content).not.toEqual((await other.json()).content)
  await locked.close()
})
