import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, embed, embedMany, generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type SoldModel, sold } from './models-file.ts'
import { type MadeKey, openStage, PLENTY, type Stage } from './stage.ts'
import { allOf, errorOf, MODELS, PNG, soldModels } from './stock-client.ts'
import { QUESTION } from './surfaces.ts'

const VECTORS = 'embedding-ok'
const BREAKING: readonly SoldModel[] = ['die-in-stream', 'error-in-stream'].flatMap((trouble) =>
  (['openai', 'anthropic'] as const).map((shape) => ({
    ...sold('small', trouble),
    id: `${trouble}-of-${shape}`,
    shape,
  })),
)

let stage: Stage
let key: MadeKey
beforeAll(async () => {
  // Its packages do not know our models’ names, as with anyone who sells models of their own.
  globalThis.AI_SDK_LOG_WARNINGS = false
  stage = await openStage(inject('postgresUrl'), { models: [...soldModels, ...BREAKING, sold('embedding', 'ok')] })
})
afterAll(() => stage.close())
beforeEach(async () => {
  key = await stage.fundedKey(PLENTY)
})

const openai = (apiKey = key.secret) => createOpenAI({ apiKey, baseURL: `${stage.base}/v1` })
const anthropic = (apiKey = key.secret) => createAnthropic({ apiKey, baseURL: `${stage.base}/v1` })
const maxRetries = 0

/** Every API of its providers, each through an upstream of either shape. */
const WAYS = Object.entries({
  chat: (model: string) => openai().chat(model),
  responses: (model: string) => openai().responses(model),
  messages: (model: string) => anthropic()(model),
}).flatMap(([api, of]) =>
  ([MODELS.openai, MODELS.anthropic] as const).map((model) => ({ api, by: model, model: () => of(model) })),
)

const city = jsonSchema<{ city: string }>({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
})

describe.each(WAYS)('the stock ai package, $api by $by', ({ model }) => {
  test('a text arrives whole and streamed, with the same usage', async () => {
    const asked = { model: model(), prompt: QUESTION, system: 'Answer in one sentence.', maxRetries }
    const whole = await generateText(asked)
    expect(whole.text).not.toBe('')
    expect(whole.finishReason).toBe('stop')
    const streamed = streamText(asked)
    const pieces = await allOf(streamed.textStream)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(whole.text)
    const { inputTokens, outputTokens } = whole.usage
    expect(inputTokens).toBeGreaterThan(0)
    expect(await streamed.usage).toMatchObject({ inputTokens, outputTokens })
    const [one, other] = await stage.calls(key.owner)
    expect(other?.cost).toBe(one?.cost)
  })

  test.each([true, false])('a tool is called, run and answered: stream %s', async (isStream) => {
    const ran: unknown[] = []
    const weather = tool({
      description: 'Tells the weather.',
      inputSchema: city,
      execute: async (input) => {
        ran.push(input)
        return 'Sun, 24 degrees'
      },
    })
    const asked = { model: model(), tools: { weather }, stopWhen: isStepCount(3), maxRetries }
    const prompt = 'Ask weather for Lisbon.'
    const streamed = isStream ? streamText({ ...asked, prompt }) : undefined
    await streamed?.consumeStream()
    const { text, steps } = streamed ?? (await generateText({ ...asked, prompt }))
    expect((await steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(ran).toEqual([{ city: expect.any(String) }])
    expect(await text).not.toBe('')
  })

  test('an object matches its schema', async () => {
    const { output } = await generateText({
      model: model(),
      prompt: QUESTION,
      output: Output.object({ schema: city }),
      maxRetries,
    })
    expect(output).toEqual({ city: expect.any(String) })
  })

  test('an image and a length are passed on', async () => {
    const content = [
      { type: 'text' as const, text: QUESTION },
      { type: 'file' as const, data: PNG, mediaType: 'image/png' },
    ]
    const { usage, finishReason } = await generateText({
      ...{ model: model(), messages: [{ role: 'user', content }], maxOutputTokens: 16, maxRetries },
    })
    expect(usage.inputTokens).toBeGreaterThan(85)
    expect(usage.outputTokens).toBe(16)
    expect(finishReason).toBe('length')
  })
})

describe('the stock ai package', () => {
  test('texts are embedded, one or several at once', async () => {
    const model = openai().embedding(VECTORS)
    const { embedding, usage } = await embed({ model, value: 'one', maxRetries })
    expect(embedding).toHaveLength(64)
    expect(usage.tokens).toBeGreaterThan(0)
    const { embeddings } = await embedMany({ model, values: ['one', 'another'], maxRetries })
    expect(embeddings).toHaveLength(2)
    expect(embeddings[0]).toEqual(embedding)
  })

  test.each([
    ['chat', (apiKey: string, model: string) => openai(apiKey).chat(model)],
    ['responses', (apiKey: string, model: string) => openai(apiKey).responses(model)],
    ['messages', (apiKey: string, model: string) => anthropic(apiKey)(model)],
  ])('errors are the package’s own, with our words, and a 402 is not retried: %s', async (_, of) => {
    const prompt = QUESTION
    const unknown = await errorOf(generateText({ model: of('cb_router_unknown', MODELS.both), prompt }), APICallError)
    expect(unknown).toMatchObject({ statusCode: 401, isRetryable: false })
    const unsold = await errorOf(generateText({ model: of(key.secret, 'unknown'), prompt }), APICallError)
    expect(unsold).toMatchObject({ statusCode: 404, isRetryable: false })
    const poor = await stage.key()
    const broke = await errorOf(generateText({ model: of(poor.secret, MODELS.both), prompt }), APICallError)
    expect(broke).toMatchObject({ statusCode: 402, isRetryable: false })
    for (const { message } of [unknown, unsold, broke]) expect(message).toMatch(/.{10}/)
  })

  // What the sample provider itself sends to a client of its shape is passed on unchanged.
  test.each([
    ['chat', 'die-in-stream-of-openai', () => openai().chat('die-in-stream-of-openai')],
    ['chat', 'error-in-stream-of-anthropic', () => openai().chat('error-in-stream-of-anthropic')],
    ['responses', 'die-in-stream-of-openai', () => openai().responses('die-in-stream-of-openai')],
    ['responses', 'die-in-stream-of-anthropic', () => openai().responses('die-in-stream-of-anthropic')],
    ['responses', 'error-in-stream-of-anthropic', () => openai().responses('error-in-stream-of-anthropic')],
    ['messages', 'die-in-stream-of-anthropic', () => anthropic()('die-in-stream-of-anthropic')],
    ['messages', 'error-in-stream-of-openai', () => anthropic()('error-in-stream-of-openai')],
  ])('a stream that breaks ends in an error that it understands: %s, %s', async (_api, _id, modelOf) => {
    const errors: unknown[] = []
    const streamed = streamText({
      model: modelOf(),
      prompt: QUESTION,
      maxRetries,
      onError: ({ error }) => void errors.push(error),
    })
    await streamed.consumeStream()
    expect(errors).not.toEqual([])
    for (const error of errors) expect(error).toMatchObject({ name: 'AI_StreamProviderError' })
  })
})
