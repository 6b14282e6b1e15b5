import { describe, expect, test } from 'vitest'
import { chatUsage, embeddingsUsage, messagesUsage, responsesUsage } from './usage.ts'

const CHAT = {
  ...{ prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 10, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 20 },
}
const RESPONSE = {
  ...{ input_tokens: 100, output_tokens: 50, total_tokens: 150 },
  input_tokens_details: { cached_tokens: 30, cache_write_tokens: 10 },
  output_tokens_details: { reasoning_tokens: 20 },
}
const MESSAGE = {
  ...{ input_tokens: 60, cache_read_input_tokens: 30, cache_creation_input_tokens: 10, output_tokens: 50 },
  output_tokens_details: { thinking_tokens: 20 },
}
const USAGE = { inputTokens: 100, cacheReadTokens: 30, cacheWriteTokens: 10, outputTokens: 50, reasoningTokens: 20 }

const SHAPES = [
  ['chat', chatUsage, CHAT, 'prompt_tokens', 'completion_tokens'],
  ['responses', responsesUsage, RESPONSE, 'input_tokens', 'output_tokens'],
  ['messages', (json: unknown) => messagesUsage(json), MESSAGE, 'input_tokens', 'output_tokens'],
] as const

describe.each(SHAPES)('%s usage', (_name, read, claim, input, output) => {
  test('default: all shapes are counted alike', () => {
    expect(read({ usage: claim })).toEqual(USAGE)
  })

  test('default: parts that are not reported count as zero', () => {
    const plain = { inputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 4, reasoningTokens: 0 }
    expect(read({ usage: { [input]: 3, [output]: 4 } })).toEqual(plain)
    const empty = { input_tokens_details: null, prompt_tokens_details: null, cache_read_input_tokens: null }
    expect(read({ usage: { [input]: 3, [output]: 4, ...empty } })).toEqual(plain)
  })

  test.each([undefined, null, 'usage', 7, [], {}, { usage: null }, { usage: [] }, { usage: {} }])(
    'behavior: %j has no usage',
    (json) => {
      expect(read(json)).toBeUndefined()
    },
  )

  const FALSE = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '7', null, true, undefined]
  test.each([input, output].flatMap((field) => FALSE.map((value) => [field, value] as const)))(
    'error: %s of %s is not a count',
    (field, value) => {
      expect(read({ usage: { ...claim, [field]: value } })).toBeUndefined()
    },
  )
})

test.each([
  ['named', { completion_tokens: 1, total_tokens: 399, completion_tokens_details: { reasoning_tokens: 386 } }, 386],
  ['not named', { completion_tokens: 151, total_tokens: 545, completion_tokens_details: undefined }, 382],
])('reasoning that only the total of a chat has is output: %s', (_what, claim, reasoningTokens) => {
  const usage = { prompt_tokens: 12, ...claim }
  expect(chatUsage({ usage })).toMatchObject({
    outputTokens: claim.completion_tokens + reasoningTokens,
    reasoningTokens,
  })
})

test.each([-1, 0, 149, '999', null])('a total of %j adds nothing to the parts of a chat', (total_tokens) => {
  expect(chatUsage({ usage: { ...CHAT, total_tokens } })).toEqual(USAGE)
})

test.each([
  ['more cached than read', chatUsage, { ...CHAT, prompt_tokens_details: { cached_tokens: 101 } }],
  ['cached twice', chatUsage, { ...CHAT, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 60 } }],
  ['more reasoning than output', chatUsage, { ...CHAT, completion_tokens_details: { reasoning_tokens: 51 } }],
  ['a negative part', chatUsage, { ...CHAT, completion_tokens_details: { reasoning_tokens: -1 } }],
  ['more cached than read', responsesUsage, { ...RESPONSE, input_tokens_details: { cached_tokens: 101 } }],
  ['more reasoning than output', responsesUsage, { ...RESPONSE, output_tokens_details: { reasoning_tokens: 51 } }],
  ['more thinking than output', messagesUsage, { ...MESSAGE, output_tokens_details: { thinking_tokens: 51 } }],
  ['a negative part', messagesUsage, { ...MESSAGE, cache_read_input_tokens: -1 }],
  ['a sum that no number holds', messagesUsage, { ...MESSAGE, input_tokens: Number.MAX_SAFE_INTEGER }],
])('error: %s', (_name, read: (json: unknown) => unknown, usage) => {
  expect(read({ usage })).toBeUndefined()
})

test('embeddings have only input', () => {
  const none = { cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  expect(embeddingsUsage({ usage: { prompt_tokens: 8, total_tokens: 8 } })).toEqual({ inputTokens: 8, ...none })
  expect([embeddingsUsage({}), embeddingsUsage({ usage: { prompt_tokens: -8 } })]).toEqual([undefined, undefined])
})

describe('messagesUsage of a stream', () => {
  test('default: later counts replace earlier ones, null replaces nothing', () => {
    const start = { usage: { input_tokens: 60, cache_read_input_tokens: 30, output_tokens: 1 } }
    const delta = { usage: { input_tokens: null, cache_creation_input_tokens: 10, output_tokens: 50 } }
    expect(messagesUsage(start, delta)).toEqual({ ...USAGE, reasoningTokens: 0 })
    expect(messagesUsage(start, { usage: { cache_read_input_tokens: 5, output_tokens: 2 } })).toMatchObject({
      ...{ inputTokens: 65, cacheReadTokens: 5, outputTokens: 2 },
    })
  })

  test('error: an implausible delta invalidates the usage it is merged into', () => {
    expect(messagesUsage({ usage: MESSAGE }, { usage: { output_tokens: -1 } })).toBeUndefined()
  })
})
