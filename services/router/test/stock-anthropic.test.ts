import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { usdText } from '../src/domain/usd.ts'
import { sold } from './models-file.ts'
import { pageFetch } from './page-fetch.ts'
import { type MadeKey, openStage, PLENTY, type Stage } from './stage.ts'
import { allOf, errorOf, MODELS, PNG, soldModels } from './stock-client.ts'
import { priceOf, QUESTION, SURFACES } from './surfaces.ts'

const messages = [{ role: 'user' as const, content: QUESTION }]
const weather = {
  name: 'weather',
  description: 'Tells the weather.',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}

let stage: Stage
let key: MadeKey
let client: Anthropic
beforeAll(async () => {
  stage = await openStage(inject('postgresUrl'), { models: soldModels })
})
afterAll(() => stage.close())
beforeEach(async () => {
  key = await stage.fundedKey(PLENTY)
  client = clientOf(key.secret)
})

const clientOf = (apiKey: string, baseURL = stage.base) => new Anthropic({ apiKey, baseURL, maxRetries: 0 })
const textIn = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')

test('the stock @anthropic-ai/sdk package works in a page of another site, and reads the id of its request', async () => {
  const inPage = new Anthropic({
    ...{ apiKey: key.secret, baseURL: stage.base, maxRetries: 0 },
    ...{ dangerouslyAllowBrowser: true, fetch: pageFetch },
  })
  const answer = await inPage.messages.create({ model: MODELS.anthropic, max_tokens: 300, messages })
  expect(textIn(answer)).not.toBe('')
  expect(answer._request_id).toMatch(/^[0-9a-f-]{36}$/)
})

describe.each([
  ['an upstream of Anthropic’s shape', MODELS.anthropic],
  ['an upstream of OpenAI’s shape', MODELS.openai],
])('the stock @anthropic-ai/sdk package, through %s', (_, model) => {
  test('a message arrives whole, with its usage and its cost', async () => {
    const asked = client.messages.create({ model, max_tokens: 300, messages })
    const { data, response, request_id: id } = await asked.withResponse()
    expect(data).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'end_turn' })
    expect(textIn(data)).not.toBe('')
    expect(data.usage.input_tokens).toBeGreaterThan(0)
    const cost = usdText(priceOf(SURFACES.messages.told([data])))
    expect(response.headers.get('x-callboard-cost-usd')).toBe(cost)
    expect(id).toMatch(/.{8}/)
  })

  test('a streamed message has the text of the whole one, and its events add up to one message', async () => {
    const asked = { model, max_tokens: 300, messages }
    const whole = await client.messages.create(asked)
    const stream = client.messages.stream(asked)
    const heard: string[] = []
    stream.on('text', (delta) => heard.push(delta))
    const final = await stream.finalMessage()
    expect(textIn(final)).toBe(textIn(whole))
    expect(heard.length).toBeGreaterThan(1)
    expect(heard.join('')).toBe(textIn(whole))
    expect(final.stop_reason).toBe(whole.stop_reason)
    const { input_tokens, output_tokens } = whole.usage
    expect(final.usage).toMatchObject({ input_tokens, output_tokens })
    const [one, other] = await stage.calls(key.owner)
    expect(other?.cost).toBe(one?.cost)
  })

  test('a truncated answer says so', async () => {
    const cut = await client.messages.create({ model, max_tokens: 3, messages })
    expect(cut).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 3 } })
  })

  test.each([true, false])('a tool is called, and its result answered: stream %s', async (isStream) => {
    const asked = { model, max_tokens: 300, tools: [weather] }
    const question = { role: 'user' as const, content: 'Ask weather for Lisbon.' }
    const ask = (more: Anthropic.MessageParam[]) => {
      const body = { ...asked, messages: [question, ...more] }
      return isStream ? client.messages.stream(body).finalMessage() : client.messages.create(body)
    }
    const called = await ask([])
    expect(called.stop_reason).toBe('tool_use')
    const use = called.content.find((block) => block.type === 'tool_use')
    expect(use).toMatchObject({ name: 'weather', input: { city: expect.any(String) } })
    const result = { type: 'tool_result' as const, tool_use_id: use?.id ?? '', content: 'Sun, 24 degrees' }
    const answered = await ask([
      { role: 'assistant', content: called.content },
      { role: 'user', content: [result] },
    ])
    expect(answered.stop_reason).toBe('end_turn')
    expect(textIn(answered)).not.toBe('')
  })

  test('an image, a system prompt and a stop sequence are understood', async () => {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: PNG },
    }
    const asked = {
      ...{ model, max_tokens: 300, system: [{ type: 'text' as const, text: 'Answer in one sentence.' }] },
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: QUESTION }, image] }],
    }
    const whole = await client.messages.create(asked)
    expect(whole.usage.input_tokens).toBeGreaterThan(85)
    const [, word = ''] = textIn(whole).split(' ')
    const stopped = await client.messages.create({ ...asked, stop_sequences: [` ${word}`] })
    expect(textIn(whole).startsWith(textIn(stopped))).toBe(true)
    expect(textIn(stopped)).not.toContain(` ${word}`)
  })

  test('an answer with a schema is JSON that matches it', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    }
    const output_config = { format: { type: 'json_schema' as const, schema } }
    const answer = await client.messages.create({ model, max_tokens: 300, messages, output_config })
    expect(JSON.parse(textIn(answer))).toEqual({ city: expect.any(String) })
  })
})

test.each([true, false])(
  'a message that its upstream did not count reports the usage that is charged: stream %s',
  async (isStream) => {
    const model = 'small-no-usage'
    const uncounted = await openStage(inject('postgresUrl'), {
      models: [{ ...sold('small', 'no-usage'), shape: 'openai' }],
    })
    onTestFinished(() => uncounted.close())
    const { secret, owner } = await uncounted.fundedKey(PLENTY)
    const asked = { model, max_tokens: 300, messages }
    const by = clientOf(secret, uncounted.base)
    const { usage } = isStream ? await by.messages.stream(asked).finalMessage() : await by.messages.create(asked)
    expect(usage).toMatchObject({ input_tokens: expect.any(Number), output_tokens: expect.any(Number) })
    const [call] = await uncounted.calls(owner)
    expect(call).toMatchObject({ estimated: true, cost: priceOf(SURFACES.messages.told([{ usage }])) })
    expect(usage.input_tokens).toBeGreaterThan(0)
  },
)

test('tokens are counted by an upstream of Anthropic’s shape', async () => {
  const counted = await client.messages.countTokens({ model: MODELS.anthropic, messages })
  const { usage } = await client.messages.create({ model: MODELS.anthropic, max_tokens: 5, messages })
  expect(counted.input_tokens).toBe(usage.input_tokens)
})

test('a model whose upstreams do not count tokens is a BadRequestError, which is not retried', async () => {
  const error = await errorOf(
    client.messages.countTokens({ model: MODELS.openai, messages }),
    Anthropic.BadRequestError,
  )
  expect(error.message).toContain('counts tokens')
})

test('the models that are sold are listed', async () => {
  const ids = (await allOf(client.models.list())).map(({ id }) => id)
  expect(ids.toSorted()).toEqual(Object.values(MODELS).toSorted())
})

describe('the errors of the stock @anthropic-ai/sdk package', () => {
  const create = (by: Anthropic, more = {}) =>
    by.messages.create({ model: MODELS.both, max_tokens: 10, messages, ...more })

  test('an unknown key is an AuthenticationError with the id of its request', async () => {
    const error = await errorOf(create(clientOf('cb_router_unknown')), Anthropic.AuthenticationError)
    expect(error).toMatchObject({ status: 401, type: 'authentication_error' })
    expect(error.requestID).toMatch(/.{8}/)
  })

  test('a model that is not sold is a NotFoundError', async () => {
    const error = await errorOf(create(client, { model: 'claude-unknown' }), Anthropic.NotFoundError)
    expect(error).toMatchObject({ status: 404, type: 'not_found_error' })
  })

  test('an empty balance is a PaymentRequiredError, and is not retried', async () => {
    const poor = await stage.key()
    const patient = new Anthropic({ apiKey: poor.secret, baseURL: stage.base })
    const error = await errorOf(create(patient), Anthropic.PaymentRequiredError)
    expect(error).toMatchObject({ status: 402, type: 'billing_error' })
    expect(error.headers?.get('retry-after')).toBeNull()
  })

  test('a request that is wrong for us, for the upstream or across shapes is a BadRequestError', async () => {
    for (const more of [
      { messages: [] },
      {
        model: MODELS.anthropic,
        messages: [{ role: 'user' as const, content: QUESTION }],
        stop_sequences: [],
        max_tokens: 0,
      },
      ...[MODELS.openai, MODELS.anthropic].map((model) => ({
        ...{ model, tools: [{ type: 'web_search_20250305' as const, name: 'web_search' as const }] },
      })),
    ]) {
      const error = await errorOf(create(client, more), Anthropic.BadRequestError)
      expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' })
    }
    expect(await stage.balance(key.owner)).toMatchObject({ spent: 0n, held: 0n })
  })

  test('too many calls in a minute give a RateLimitError with a short Retry-After', async () => {
    const env = { ROUTER_REQUESTS_PER_MINUTE: '1' }
    const narrow = await openStage(inject('postgresUrl'), { models: soldModels, env })
    onTestFinished(() => narrow.close())
    const { secret } = await narrow.fundedKey(PLENTY)
    const quick = clientOf(secret, narrow.base)
    await create(quick)
    const error = await errorOf(create(quick), Anthropic.RateLimitError)
    expect(error).toMatchObject({ status: 429, type: 'rate_limit_error' })
    expect(Number(error.headers?.get('retry-after'))).toBeLessThanOrEqual(60)
  })
})
