import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../domain/json.ts'
import { chatAsMessage } from './chat-as-message.ts'
import { chatToMessages } from './chat-to-messages.ts'
import { messagesToChat, wantsThinking } from './messages-to-chat.ts'
import { responsesToChat } from './responses-to-chat.ts'
import { translationOf } from './translation.ts'
import { Untranslatable } from './untranslatable.ts'

const USAGE = { inputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 7, reasoningTokens: 7 }
const said = [{ role: 'user', content: 'Is it?' }]
const refusedField = (put: () => unknown): string => {
  try {
    put()
  } catch (error) {
    if (error instanceof Untranslatable) return error.field
    throw error
  }
  return 'nothing'
}

describe('a chat completion as a message', () => {
  const put = (more: Json, messages: readonly Json[] = said) => chatToMessages({ model: 'small', messages, ...more })

  test('drops fields that only shade the wording of an answer, and limits the temperature', () => {
    const { messages, ...rest } = put({
      ...{ temperature: 1.7, top_p: 0.9, seed: 1, frequency_penalty: 1, presence_penalty: 1, logit_bias: {} },
      ...{
        n: 1,
        logprobs: false,
        modalities: ['text'],
        store: true,
        service_tier: 'flex',
        stream_options: {},
        stop: null,
      },
    })
    expect(rest).toEqual({ temperature: 1, top_p: 0.9 })
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Is it?' }] }])
  })

  test.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['functions', { functions: [{ name: 'weather' }] }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['web_search_options', { web_search_options: {} }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['tools', { tools: [{ type: 'custom', custom: { name: 'weather' } }] }],
    ['tool_choice', { tools: [{ type: 'function', function: { name: 'a' } }], tool_choice: { type: 'allowed_tools' } }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///x' } }] }] }],
    ['messages', { messages: [{ role: 'function', name: 'weather', content: '' }] }],
    ['messages', { messages: [{ role: 'assistant', tool_calls: [{ id: '1', type: 'custom', custom: {} }] }] }],
  ])('error: a field without an equivalent is refused by its name: %s %j', (field, more) => {
    expect(refusedField(() => put(more))).toBe(field)
  })

  test.each([
    [{ reasoning_effort: 'low' }, { output_config: { effort: 'low' } }],
    [{ reasoning_effort: 'minimal' }, { output_config: { effort: 'low' } }],
    [{ reasoning_effort: 'xhigh' }, { output_config: { effort: 'xhigh' } }],
    [{ reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    [{ user: 'u', safety_identifier: 's' }, { metadata: { user_id: 's' } }],
    [{ stop: 'END' }, { stop_sequences: ['END'] }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'place', schema: { type: 'object' } } } },
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    ],
  ])('%j becomes %j', (more, expected) => {
    const { messages: _said, ...rest } = put(more)
    expect(rest).toEqual(expected)
  })

  test('cache marks stay where they are, and OpenAI’s become Anthropic’s', () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' }
    const tool = { type: 'function', function: { name: 'weather', strict: true }, cache_control }
    const { system, messages, tools } = put({ tools: [tool] }, [
      {
        role: 'developer',
        content: [{ type: 'text', text: 'Be brief.', prompt_cache_breakpoint: { mode: 'explicit' } }],
      },
      { role: 'user', content: [{ type: 'text', text: 'Is it?', cache_control }] },
    ])
    expect(system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }])
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Is it?', cache_control }] }])
    expect(tools).toEqual([{ name: 'weather', strict: true, input_schema: { type: 'object' }, cache_control }])
  })

  test('signed reasoning is put back before the text that followed it, even when it comes in streamed pieces', () => {
    const details = [
      { type: 'reasoning.text', text: 'It ' },
      { type: 'reasoning.text', text: 'may be.' },
      { type: 'reasoning.text', signature: 'abc' },
      { type: 'reasoning.encrypted', data: 'xyz' },
      { type: 'reasoning.text', text: 'of another provider' },
    ]
    const { messages } = put({}, [...said, { role: 'assistant', content: 'Yes.', reasoning_details: details }])
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Is it?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'It may be.', signature: 'abc' },
          { type: 'redacted_thinking', data: 'xyz' },
          { type: 'text', text: 'Yes.' },
        ],
      },
    ])
  })

  test('pieces of reasoning are joined in a time that grows with their number, whatever else the first one has', () => {
    const more = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`member${at}`, 0]))
    const pieces = Array(10_000).fill({ type: 'reasoning.text', text: 'a' })
    const details = [
      { ...more, type: 'reasoning.text', text: 'a' },
      ...pieces,
      { type: 'reasoning.text', signature: 's' },
    ]
    const { messages } = put({}, [{ role: 'assistant', content: 'Yes.', reasoning_details: details }])
    const thinking = { type: 'thinking', thinking: 'a'.repeat(10_001), signature: 's' }
    expect(messages).toEqual([{ role: 'assistant', content: [thinking, { type: 'text', text: 'Yes.' }] }])
  })

  test('any number of calls of one turn fits into it', () => {
    const calls = Array(200_000).fill({ id: '1', type: 'function', function: { name: 'weather', arguments: '{}' } })
    const { messages } = put({}, [
      { role: 'assistant', content: 'I look.' },
      { role: 'assistant', tool_calls: calls },
    ])
    const [turn, ...others] = messages as { content: Json[] }[]
    expect([turn?.content.length, others]).toEqual([200_001, []])
  })

  test.each([
    ['auto', undefined, { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
    ['required', undefined, { tool_choice: { type: 'any', disable_parallel_tool_use: true } }],
    ['none', undefined, { tool_choice: { type: 'none' } }],
    [{ type: 'function', function: { name: 'a' } }, true, { tool_choice: { type: 'tool', name: 'a' } }],
    [undefined, true, {}],
    [null, true, {}],
    [undefined, undefined, { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
  ])('one tool at a time is requested in tool_choice: %j, %s', (tool_choice, parallel, expected) => {
    const tools = [{ type: 'function', function: { name: 'a' } }]
    const {
      tools: _tools,
      messages: _said,
      ...rest
    } = put({ tools, tool_choice, parallel_tool_calls: parallel ?? false })
    expect(rest).toEqual(expected)
  })

  test('a message without text is not a turn', () => {
    const { messages } = put({}, [{ role: 'assistant', content: '' }, ...said, { role: 'assistant', content: null }])
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Is it?' }] }])
  })

  test('a call whose arguments were cut short gets none', () => {
    const calls = [{ id: '1', type: 'function', function: { name: 'weather', arguments: '{"city":"Lis' } }]
    const { messages } = put({}, [{ role: 'assistant', content: null, tool_calls: calls }])
    expect(messages).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'weather', input: {} }] },
    ])
  })
})

describe('a message as a chat completion', () => {
  const put = (more: Json, messages: readonly Json[] = said) =>
    messagesToChat({ model: 'small', max_tokens: 1000, messages, ...more })

  test.each([
    ['mcp_servers', { mcp_servers: [{}] }],
    ['container', { container: 'c' }],
    ['tools', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'search_result' }] }] }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'x' } }] }] }],
    ['messages', { messages: [{ role: 'tool', content: 'x' }] }],
  ])('error: a field without an equivalent is refused by its name: %s %j', (field, more) => {
    expect(refusedField(() => put(more))).toBe(field)
  })

  test.each([
    [{ thinking: { type: 'enabled', budget_tokens: 200 } }, { reasoning_effort: 'low' }],
    [{ thinking: { type: 'enabled', budget_tokens: 500 } }, { reasoning_effort: 'medium' }],
    [{ thinking: { type: 'enabled', budget_tokens: 900 } }, { reasoning_effort: 'high' }],
    [{ thinking: { type: 'adaptive' } }, {}],
    [{ output_config: { effort: 'max' } }, { reasoning_effort: 'xhigh' }],
    [{ metadata: { user_id: 'u' } }, { user: 'u' }],
    [{ metadata: { user_id: 'u'.repeat(65) } }, {}],
    [{ stop_sequences: ['END'], top_k: 5 }, { stop: ['END'] }],
    [
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
        },
      },
    ],
  ])('%j becomes %j', (more, expected) => {
    const { messages: _said, ...rest } = put(more)
    expect(rest).toEqual(expected)
  })

  test('an answer without words, as chats that end in their reasoning give, is not a turn', () => {
    const { content } = chatAsMessage({ choices: [{ message: { content: '' }, finish_reason: 'length' }] }, USAGE, {
      thinking: true,
    }) as Json
    const thought = [{ type: 'thinking', thinking: 'Is it?', signature: '' }]
    const { messages } = put({}, [
      ...said,
      ...[content, thought, ''].map((empty) => ({ role: 'assistant', content: empty })),
      { role: 'user', content: 'Go on.' },
    ])
    expect(messages).toEqual([
      { role: 'user', content: 'Is it?' },
      { role: 'user', content: 'Go on.' },
    ])
  })

  test('tool results come before the user’s text, and their parts that are not text become the user’s', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const { messages } = put({}, [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text: 'Sun' }, image] },
          { type: 'tool_result', tool_use_id: '2', is_error: true },
          { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
        ],
      },
    ])
    expect(messages).toEqual([
      { role: 'tool', tool_call_id: '1', content: 'Sun' },
      { role: 'tool', tool_call_id: '2', content: '' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: 'And now?' },
        ],
      },
    ])
  })

  test('the model’s thinking is left out of a chat, and wantsThinking says which client asks for it', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: 'Yes.' },
    ]
    expect(put({}, [{ role: 'assistant', content }]).messages).toEqual([{ role: 'assistant', content: 'Yes.' }])
    expect([{ thinking: { type: 'adaptive' } }, { thinking: { type: 'disabled' } }, {}].map(wantsThinking)).toEqual([
      ...[true, false, false],
    ])
  })
})

describe('a response as a chat completion', () => {
  test.each([
    ['tools', { tools: [{ type: 'web_search' }] }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['input', { input: [{ type: 'item_reference', id: 'x' }] }],
    ['input', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'x' }] }] }],
  ])('error: a field without an equivalent is refused by its name: %s %j', (field, more) => {
    expect(refusedField(() => responsesToChat({ input: 'Is it?', ...more }))).toBe(field)
  })

  test('the reasoning, text and calls of one turn are one message, and sealed reasoning is opened', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }]
    const seal = Buffer.from(JSON.stringify(details)).toString('base64')
    const { messages } = responsesToChat({
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Is it?' }] },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: '1', name: 'weather', arguments: '{}' },
        { type: 'function_call', call_id: '2', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: '1', output: 'Sun' },
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'of another provider' },
      ],
    })
    const call = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } })
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Is it?' }] },
      {
        ...{ role: 'assistant', content: [{ type: 'text', text: 'I look.' }] },
        ...{ tool_calls: [call('1'), call('2')], reasoning_details: details },
      },
      { role: 'tool', tool_call_id: '1', content: 'Sun' },
      { role: 'assistant', reasoning_details: [] },
    ])
  })

  test('an item without text does not take away the text of its turn', () => {
    const say = (content: string) => ({ type: 'message', role: 'assistant', content })
    const { messages } = responsesToChat({ input: [say(''), say('I look.'), say('')] })
    expect(messages).toEqual([{ role: 'assistant', content: 'I look.' }])
  })

  test('a turn of many items is joined in a time that grows with what they hold', () => {
    const calls = Array(200_000).fill({ type: 'function_call', call_id: '1', name: 'weather', arguments: '{}' })
    const [turn, ...others] = responsesToChat({ input: calls }).messages as { tool_calls: Json[] }[]
    expect([turn?.tool_calls.length, others]).toEqual([200_000, []])
  })

  test('sealed reasoning of more pieces than any provider signs is left out', () => {
    const sealOf = (details: readonly object[]) => Buffer.from(JSON.stringify(details)).toString('base64')
    const open = (details: readonly object[]) =>
      (responsesToChat({ input: [{ type: 'reasoning', encrypted_content: sealOf(details) }] }).messages as Json[])[0]
    expect(open(Array(9_999).fill({}))).toMatchObject({ reasoning_details: { length: 9_999 } })
    expect(open(Array(10_000).fill({}))).toMatchObject({ reasoning_details: [] })
  })
})

test.each([
  ['input', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'ftp://pictures.example/1' }] }] }],
  ['input', { input: [{ role: 'user', content: [{ type: 'input_file', file_data: 'data:text/plain;base64,AA==' }] }] }],
  ['text', { input: 'Is it?', text: { format: { type: 'json_object' } } }],
  ['tools', { input: 'Is it?', tools: [{ type: 'custom', name: 'note' }] }],
])('a member of a response that cannot be translated is refused by its own name: %s of %j', (field, body) => {
  expect(refusedField(() => translationOf('responses', body, 0))).toBe(field)
})

test.each([
  ['chat', (body: Json) => chatToMessages(body)],
  ['responses', (body: Json) => chatToMessages(responsesToChat(body))],
  ['messages', (body: Json) => messagesToChat(body)],
])('no request body causes an internal error: %s', (_, put) => {
  const words = fc.constantFrom(
    'text',
    'image',
    'image_url',
    'tool_use',
    'tool_result',
    'document',
    'user',
    'assistant',
    'tool',
  )
  const tree = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(words, fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom(
          'type',
          'role',
          'content',
          'text',
          'source',
          'tool_calls',
          'function',
          'input',
          'output',
          'schema',
        ),
        tie('value'),
      ),
    ),
  })).value
  const names = [
    'messages',
    'input',
    'system',
    'tools',
    'tool_choice',
    'response_format',
    'output_config',
    'thinking',
    'stop',
  ]
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), tree), (body) => {
      refusedField(() => put(body))
    }),
    { numRuns: 200 },
  )
})
