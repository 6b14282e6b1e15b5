import { describe, expect, test } from 'vitest'
import { readRequest, upstreamBody } from './request.ts'
import type { Surface } from './surface.ts'

const ENTRY = { role: 'user', content: 'Hello' }
const BODIES: Readonly<Record<Surface, Record<string, unknown>>> = {
  chat: { model: 'small', messages: [ENTRY] },
  responses: { model: 'small', input: 'Hello' },
  messages: { model: 'small', messages: [ENTRY], max_tokens: 100 },
  embeddings: { model: 'small', input: 'Hello' },
}
const SURFACES: readonly Surface[] = ['chat', 'responses', 'messages', 'embeddings']
const read = (surface: Surface, part: object = {}) => readRequest(surface, { ...BODIES[surface], ...part })

/** The request as read, or the refused field. */
const seen = (surface: Surface, part: object) => {
  const answer = read(surface, part)
  return answer.ok ? answer.request : answer.field
}

describe.each(SURFACES)('readRequest of %s', (surface) => {
  test('default: a plain call is read', () => {
    expect(read(surface)).toEqual({
      ok: true,
      request: {
        ...{ model: 'small', stream: false, wantsUsage: false, choices: 1, texts: 1, images: 0 },
        maxOutput: surface === 'messages' ? 100 : undefined,
        ...{ longestRead: Number.POSITIVE_INFINITY, hasFiles: false, fileUnits: 0, addedTokens: 0 },
      },
    })
  })

  test('behavior: unknown members are left to the upstream', () => {
    expect(read(surface, { temperature: 7, future: { of: 'fields' } }).ok).toBe(true)
    expect(seen(surface, { model: 'm'.repeat(128) })).toMatchObject({ model: 'm'.repeat(128) })
  })

  test.each([undefined, null, 'text', [], 7])('400: %j is not a valid body', (body) => {
    expect(readRequest(surface, body)).toMatchObject({ ok: false, field: 'body' })
  })

  test.each([undefined, null, '', 7, 'm'.repeat(129)])('400: %j is not a valid model', (model) => {
    expect(seen(surface, { model })).toBe('model')
  })

  test.each(['true', 1, {}])('400: stream cannot be %j', (stream) => {
    expect(seen(surface, { stream })).toBe('stream')
  })

  const prompt = 'messages' in BODIES[surface] ? 'messages' : 'input'
  test.each([undefined, null, '', [], {}, 7, true, [null]])('400: %j is not a valid prompt', (value) => {
    expect(seen(surface, { [prompt]: value })).toBe(prompt)
  })

  test('400: the prompt has more than 2,000 entries', () => {
    const entry = surface === 'embeddings' ? 'Hello' : ENTRY
    expect(read(surface, { [prompt]: new Array(2_000).fill(entry) }).ok).toBe(true)
    expect(seen(surface, { [prompt]: new Array(2_001).fill(entry) })).toBe(prompt)
  })
})

describe('prompts', () => {
  test.each(['chat', 'messages'] as const)('400: %s does not accept text as its messages', (surface) => {
    expect(seen(surface, { messages: 'Hello' })).toBe('messages')
  })

  test.each([[['a', 'b']], [[1, 2, 3]], [[[1, 2], [3]]]])('default: %j is accepted for embeddings', (input) => {
    expect(read('embeddings', { input }).ok).toBe(true)
  })

  test.each([[['a', '']], [['a', 1]], [[[1], []]], [[-1]], [[0.5]]])('400: %j is refused for embeddings', (input) => {
    expect(seen('embeddings', { input })).toBe('input')
  })
})

describe('the longest answer', () => {
  test.each([
    ['chat', { max_completion_tokens: 10, max_tokens: 20 }, 10],
    ['chat', { max_tokens: 20 }, 20],
    ['chat', { max_completion_tokens: null, max_tokens: 20 }, 20],
    ['responses', { max_output_tokens: 30 }, 30],
    ['messages', { max_tokens: 10_000_000 }, 10_000_000],
    ['embeddings', { max_tokens: 5 }, undefined],
  ] as const)('default: %s with %j', (surface, part, maxOutput) => {
    expect(seen(surface, part)).toMatchObject({ maxOutput })
  })

  const FIELDS = [
    ['chat', 'max_completion_tokens'],
    ['chat', 'max_tokens'],
    ['responses', 'max_output_tokens'],
    ['messages', 'max_tokens'],
  ] as const
  test.each(
    FIELDS.flatMap(([surface, field]) =>
      [0, -1, 0.5, '7', 10_000_001].map((value) => [surface, field, value] as const),
    ),
  )('400: %s with %s %j', (surface, field, value) => {
    expect(seen(surface, { [field]: value })).toBe(field)
  })

  test.each([
    ['chat', { logprobs: true }, 209_715],
    ['chat', { logprobs: true, top_logprobs: 0 }, 209_715],
    ['chat', { logprobs: true, top_logprobs: 20 }, 9_986],
    ['chat', { logprobs: true, top_logprobs: 20, n: 4 }, 2_496],
    ['chat', { logprobs: true, top_logprobs: 1_000_000_000 }, 1],
    ['chat', { logprobs: true, top_logprobs: 20, stream: true }, Number.POSITIVE_INFINITY],
    ['chat', { top_logprobs: 'all' }, Number.POSITIVE_INFINITY],
    ['responses', { top_logprobs: 20 }, 9_986],
    ['responses', { top_logprobs: 20, stream: true }, 9_986],
    ['messages', { top_logprobs: 20 }, Number.POSITIVE_INFINITY],
  ] as const)('behavior: %s with %j is bounded by what is read of an answer', (surface, part, longestRead) => {
    expect(seen(surface, part)).toMatchObject({ longestRead })
  })

  test.each([undefined, null])('400: a message without max_tokens: %j', (max_tokens) => {
    expect(seen('messages', { max_tokens })).toBe('max_tokens')
  })
})

describe('choices, images and usage', () => {
  test.each([0, 17, 1.5, '2', -1])('400: n cannot be %j', (n) => {
    expect(seen('chat', { n })).toBe('n')
  })

  test('default: n multiplies only chat', () => {
    expect([seen('chat', { n: 16 }), seen('chat', { n: null }), seen('responses', { n: 16 })]).toMatchObject([
      { choices: 16 },
      { choices: 1 },
      { choices: 1 },
    ])
  })

  test.each([
    ['one text', 'Hello', 1],
    ['one text, in tokens', [1, 2, 3], 1],
    ['several texts', ['a', 'b'], 2],
    ['several texts, in tokens', [[1, 2], [3], [4]], 3],
  ])('default: embeddings of %s', (_what, input, texts) => {
    expect(seen('embeddings', { input })).toMatchObject({ texts })
  })

  const image = { type: 'image', source: { type: 'base64', data: '' } }
  const result = { type: 'tool_result', content: [image] }
  test.each([
    [
      'chat',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: '' } }, { type: 'text' }] }] },
      1,
    ],
    ['responses', { input: [{ content: [{ type: 'input_image' }] }, { type: 'input_image' }] }, 2],
    ['responses', { input: [{ type: 'computer_call_output', output: { type: 'computer_screenshot' } }] }, 1],
    ['messages', { messages: [{ role: 'user', content: [image, result] }] }, 2],
    ['messages', { messages: [{ content: [{ type: 'document', source: { content: [image] } }] }] }, 1],
    ['messages', { messages: [{ content: [{ type: 'tool_use', input: image }] }] }, 0],
  ] as const)('default: counts the images of %s %j', (surface, part, images) => {
    expect(seen(surface, part)).toMatchObject({ images })
  })

  test('behavior: images in the system prompt of a message count too', () => {
    expect(seen('messages', { system: [image] })).toMatchObject({ images: 1 })
  })

  test('behavior: a tool whose type ends in a date is described by the provider itself', () => {
    const added = (...types: unknown[]) => seen('messages', { tools: types.map((type) => ({ type, name: 'x' })) })
    expect(added('custom', 'custom')).toMatchObject({ addedTokens: 1_000 })
    expect(added('bash_20250124', 'memory_20250818', null)).toMatchObject({ addedTokens: 3_000 })
  })

  test('behavior: a tool whose type is no text is not described by the provider, even where tools mean nothing', () => {
    const tools = [{ type: { toString: 7 } }, { type: ['bash_20250124'] }]
    expect(seen('embeddings', { tools })).toMatchObject({ addedTokens: 1_000 })
  })

  test('400: the prompt has more than 64 images', () => {
    const withImages = (count: number) => ({ messages: [{ content: new Array(count).fill(image) }] })
    expect([seen('chat', withImages(64)), seen('chat', withImages(65))]).toMatchObject([{ images: 64 }, 'messages'])
  })

  test('400: the prompt has more than 50,000 parts', () => {
    const withParts = (count: number) => ({ messages: [{ content: new Array(count - 1).fill({ type: 'text' }) }] })
    expect([seen('chat', withParts(50_000)), seen('chat', withParts(50_001))]).toMatchObject([
      { images: 0 },
      'messages',
    ])
  })

  test('behavior: a prompt nested as deep as JSON can be is read', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(seen('chat', { messages: [{ content: deep }] })).toMatchObject({ images: 0 })
  })

  test('default: usage is wanted only where a chat asks for it', () => {
    const asked = { stream: true, stream_options: { include_usage: true } }
    expect([seen('chat', asked), seen('chat', { stream: true, stream_options: null })]).toMatchObject([
      { stream: true, wantsUsage: true },
      { stream: true, wantsUsage: false },
    ])
    expect([seen('chat', { stream_options: 'all' }), seen('embeddings', { stream: true })]).toMatchObject([
      'stream_options',
      { stream: false },
    ])
    const unsure = { stream: false, stream_options: { include_usage: 'yes' } }
    expect([seen('responses', asked), seen('chat', unsure)]).toMatchObject([
      { stream: true, wantsUsage: false },
      { stream: false, wantsUsage: false },
    ])
  })
})

describe('upstreamBody', () => {
  const put = { model: 'vendor/small', maxOutput: 50, askUsage: true }

  test.each([
    ['chat', {}, { max_completion_tokens: 50 }],
    ['chat', { max_tokens: 70 }, { max_tokens: 50 }],
    ['chat', { max_completion_tokens: 70 }, { max_completion_tokens: 50 }],
    ['chat', { max_completion_tokens: 70, max_tokens: 90 }, { max_completion_tokens: 50, max_tokens: 50 }],
    ['chat', { max_completion_tokens: null, max_tokens: 70 }, { max_completion_tokens: null, max_tokens: 50 }],
    ['responses', {}, { max_output_tokens: 50, store: false }],
    ['messages', { max_tokens: 70 }, { max_tokens: 50 }],
    ['embeddings', {}, {}],
  ] as const)('default: %s with %j is bounded by %j', (surface, part, bound) => {
    const body = { ...BODIES[surface], ...part, future: [1] }
    const before = structuredClone(body)
    expect(upstreamBody(surface, body, put)).toEqual({ ...body, model: 'vendor/small', ...bound })
    expect(body).toEqual(before)
  })

  test.each([
    ['max_tokens', {}, { max_tokens: 50 }],
    ['max_tokens', { max_completion_tokens: 70 }, { max_tokens: 50 }],
    ['max_tokens', { max_completion_tokens: 70, max_tokens: 90 }, { max_tokens: 50 }],
    ['max_completion_tokens', { max_tokens: 70 }, { max_completion_tokens: 50 }],
  ])(
    'default: an upstream that knows only %s is bounded by it, whatever the client set: %j',
    (lengthField, part, bound) => {
      const asked = upstreamBody('chat', { ...BODIES.chat, ...part }, { ...put, lengthField })
      expect(asked).toEqual({ ...BODIES.chat, model: 'vendor/small', ...bound })
      const message = upstreamBody('messages', BODIES.messages, { ...put, lengthField })
      expect(message).toMatchObject({ max_tokens: 50 })
    },
  )

  test('default: a streamed chat is always asked for its usage, whatever else it asks for', () => {
    const asked = upstreamBody(
      'chat',
      { ...BODIES.chat, stream: true, stream_options: { include_obfuscation: false } },
      put,
    )
    expect(asked.stream_options).toEqual({ include_obfuscation: false, include_usage: true })
    expect(upstreamBody('chat', { ...BODIES.chat, stream: true, stream_options: null }, put).stream_options).toEqual({
      include_usage: true,
    })
  })

  test.each([
    ['a whole answer', 'chat', {}, true],
    ['an upstream that does not know it', 'chat', { stream: true }, false],
    ['another surface', 'responses', { stream: true }, true],
  ] as const)('behavior: %s is not asked for its usage', (_name, surface, part, askUsage) => {
    expect(upstreamBody(surface, { ...BODIES[surface], ...part }, { ...put, askUsage })).not.toHaveProperty(
      'stream_options',
    )
  })
})
