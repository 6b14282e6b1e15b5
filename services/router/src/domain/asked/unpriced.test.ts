import { describe, expect, test } from 'vitest'
import type { Json } from '../json.ts'
import { readRequest } from '../request.ts'
import type { Surface } from '../surface.ts'
import { unpricedIn } from './unpriced.ts'

const ENTRY = { role: 'user', content: 'Hello' }
const BODIES: Readonly<Record<Surface, Json>> = {
  chat: { model: 'small', messages: [ENTRY] },
  responses: { model: 'small', input: 'Hello' },
  messages: { model: 'small', messages: [ENTRY], max_tokens: 100 },
  embeddings: { model: 'small', input: 'Hello' },
}
const read = (surface: Surface, part: Json) => readRequest(surface, { ...BODIES[surface], ...part })
const said = (...content: Json[]) => [{ role: 'user', content }]
const parameters = { type: 'object', properties: {} }
const PDF = 'data:application/pdf;base64,JVBERi0='
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }

const REFUSED: readonly (readonly [Surface, field: string, Json])[] = [
  ...(['flex', 'priority', 'scale', 'fast', 7] as const).map(
    (service_tier) => ['chat', 'service_tier', { service_tier }] as const,
  ),
  ['responses', 'service_tier', { service_tier: 'priority' }],
  ['embeddings', 'service_tier', { service_tier: 'priority' }],
  ['messages', 'service_tier', { service_tier: 'priority' }],
  ['messages', 'speed', { speed: 'fast' }],
  ...(['fallback_credit_token', 'billing_policy', 'user_profile_id', 'workspace_id'] as const).map(
    (field) => ['messages', field, { [field]: 'x' }] as const,
  ),
  ...(['chat', 'responses', 'embeddings'] as const).flatMap((surface) =>
    (['route', 'search_settings', 'provider'] as const).map((field) => [surface, field, { [field]: 'x' }] as const),
  ),
  ...(['chat', 'responses', 'embeddings'] as const).flatMap((surface) =>
    (['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'] as const).map(
      (field) => [surface, field, { [field]: ['vendor/dear'], mock_testing_fallbacks: true }] as const,
    ),
  ),
  ...(['chat', 'responses', 'embeddings', 'messages'] as const).map(
    (surface) => [surface, 'providerOptions', { providerOptions: { gateway: { models: ['vendor/dear'] } } }] as const,
  ),
  ...(['chat', 'responses', 'embeddings', 'messages'] as const).flatMap((surface) => [
    [surface, 'extra_body', { extra_body: { service_tier: 'priority', max_tokens: 100_000 } }] as const,
    [surface, 'extra_body', { extra_body: { google: { cached_content: 'cachedContents/1' } } }] as const,
    [surface, 'extra_body', { extra_body: [{ n: 16 }] }] as const,
    [surface, 'extra_headers', { extra_headers: { 'anthropic-beta': 'fast-mode-2026-02-01' } }] as const,
  ]),
  ...(['chat', 'responses'] as const).flatMap((surface) => [
    [surface, 'speed', { speed: 'fast' }] as const,
    [surface, 'inference_geo', { inference_geo: 'us' }] as const,
    [surface, 'container', { container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } }] as const,
    [surface, 'mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://mcp.example', name: 'x' }] }] as const,
  ]),
  ['chat', 'context_management', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
  ['chat', 'context_management', { context_management: [{ type: 'compaction', compact_threshold: 1_000 }] }],
  ['chat', 'messages', { messages: [ENTRY, { role: 'assistant', tool_calls: [{ id: '1', ...hour }] }, ENTRY] }],
  [
    'chat',
    'cache_control_injection_points',
    { cache_control_injection_points: [{ location: 'message', role: 'system', control: hour.cache_control }] },
  ],
  ...(['chat', 'responses', 'messages'] as const).flatMap((surface) =>
    (['maxOutputTokens', 'maxTokens', 'num_predict', 'candidate_count', 'best_of'] as const).map(
      (field) => [surface, field, { [field]: 16 }] as const,
    ),
  ),
  ...(['chat', 'responses', 'embeddings', 'messages'] as const).flatMap((surface) =>
    (['model_id', 'deployment_id', 'custom_llm_provider'] as const).map(
      (field) => [surface, field, { [field]: 'dear' }] as const,
    ),
  ),
  ...(['chat', 'messages'] as const).map(
    (surface) => [surface, 'max_output_tokens', { max_tokens: 1, max_output_tokens: 65_536 }] as const,
  ),
  ['chat', 'generationConfig', { generationConfig: { maxOutputTokens: 65_536 } }],
  ...(['chat', 'responses', 'embeddings', 'messages'] as const).map(
    (surface) => [surface, 'additional_drop_params', { additional_drop_params: ['max_tokens', 'n'] }] as const,
  ),
  ...(['chat', 'responses', 'embeddings', 'messages'] as const).flatMap((surface) => [
    [surface, 'timeout', { timeout: 0.001, num_retries: 100 }] as const,
    [surface, 'num_retries', { num_retries: 100 }] as const,
    [surface, 'mock_response', { mock_response: 'litellm.InternalServerError' }] as const,
    [surface, 'mock_timeout', { mock_timeout: true }] as const,
  ]),
  ['chat', 'drop_params', { drop_params: true }],
  ['chat', 'chat_template', { chat_template: '{% for i in range(9999) %}again {% endfor %}' }],
  ['chat', 'chat_template_kwargs', { chat_template_kwargs: { chat_template: '{{ messages }}' } }],
  ['responses', 'mm_processor_kwargs', { mm_processor_kwargs: { max_pixels: 16_777_216 } }],
  ['chat', 'prompt_logprobs', { prompt_logprobs: 20 }],
  ['chat', 'preset', { preset: 'dear' }],
  ['chat', 'deferred', { deferred: true }],
  ['chat', 'venice_parameters', { venice_parameters: { enable_web_search: 'auto' } }],
  ['chat', 'venice_parameters', { venice_parameters: { enable_web_scraping: true } }],
  ['chat', 'tools', { tools: [{ type: 'function', function: { name: 'a', parameters, ...hour } }] }],
  ['responses', 'image', { image: { size: 'large' } }],
  ['messages', 'inference_geo', { inference_geo: 'us' }],
  ['chat', 'web_search_options', { web_search_options: {} }],
  ['chat', 'web_search_options', { web_search_options: { search_context_size: 'low' } }],
  ['chat', 'search_parameters', { search_parameters: { mode: 'on' } }],
  ['chat', 'enable_search', { enable_search: true }],
  ['chat', 'search_options', { search_options: { forced_search: true } }],
  ['chat', 'enable_code_interpreter', { enable_code_interpreter: true }],
  ['chat', 'plugins', { plugins: [{ id: 'web' }] }],
  ['chat', 'models', { models: ['vendor/large'] }],
  ['chat', 'provider', { provider: { order: ['dear'] } }],
  ['chat', 'modalities', { modalities: ['text', 'audio'], audio: null }],
  ['chat', 'audio', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }],
  ['chat', 'prediction', { prediction: { type: 'content', content: 'long' } }],
  ['chat', 'messages', { messages: said({ type: 'input_audio', input_audio: { data: '', format: 'wav' } }) }],
  ['chat', 'messages', { messages: said({ type: 'file', file: { file_id: 'file-1' } }) }],
  ['chat', 'messages', { messages: said({ type: 'text', text: 'x', ...hour }) }],
  ['chat', 'messages', { messages: [ENTRY, { role: 'assistant', audio: { id: 'audio_1' } }, ENTRY] }],
  ['chat', 'tools', { tools: [{ type: 'web_search' }] }],
  ...(['googleSearch', 'codeExecution', 'url_context'] as const).flatMap((member) =>
    [{}, { type: 'function' }].map((tool) => ['chat', 'tools', { tools: [{ ...tool, [member]: {} }] }] as const),
  ),
  ['chat', 'functions', { functions: [{ name: 'a', parameters }, { googleSearch: {} }] }],
  ['chat', 'functions', { functions: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ['chat', 'tools', { tools: [{ type: 'function', function: { name: 'a', parameters } }, { type: 'mcp' }] }],
  ...(['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'image_generation', 'mcp'] as const).map(
    (type) => ['responses', 'tools', { tools: [{ type: 'function', name: 'a', parameters }, { type }] }] as const,
  ),
  ['responses', 'tools', { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }],
  ['responses', 'tools', { tools: [{ type: 'shell' }] }],
  ['responses', 'tools', { tools: [{ type: 7 }] }],
  ['responses', 'context_management', { context_management: [{ type: 'compaction', compact_threshold: 1_000 }] }],
  ['responses', 'previous_response_id', { previous_response_id: 'resp_1' }],
  ['responses', 'conversation', { conversation: { id: 'conv_1' } }],
  ['responses', 'prompt', { prompt: { id: 'pmpt_1' } }],
  ['responses', 'background', { background: true }],
  ['responses', 'store', { store: true }],
  ['chat', 'store', { store: true }],
  ['responses', 'input', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ['responses', 'input', { input: [ENTRY, { id: 'msg_1' }] }],
  ['responses', 'input', { input: [ENTRY, { type: null, id: 'msg_1' }] }],
  ['responses', 'input', { input: [ENTRY, { type: 'image_generation_call', id: 'ig_1' }] }],
  ['responses', 'input', { input: [ENTRY, { type: 'compaction_trigger' }] }],
  ...(['web_search', 'code_interpreter', 'image_generation', 'mcp'] as const).flatMap((type) =>
    (['additional_tools', 'tool_search_output'] as const).map(
      (item) =>
        ['responses', 'input', { input: [ENTRY, { type: item, role: 'developer', tools: [{ type }] }] }] as const,
    ),
  ),
  [
    'messages',
    'messages',
    {
      messages: said({
        type: 'tool_addition',
        tool: { type: 'tool_definition', definition: { type: 'web_search_20250305', name: 'web_search' } },
      }),
    },
  ],
  ['chat', 'messages', { messages: said({ audio_url: 'https://sounds.example/1.mp3' }) }],
  ['chat', 'messages', { messages: said({ type: 'text', text: 'x', uuid: '1', input_audio: { data: '' } }) }],
  ['responses', 'input', { input: said({ type: 'input_file', file_id: 'file-1' }) }],
  ['responses', 'input', { input: said({ type: 'input_image', file_id: 'file-1', detail: 'low' }) }],
  [
    'responses',
    'input',
    { input: [{ type: 'function_call_output', call_id: '1', output: [{ type: 'input_file', file_id: 'file-1' }] }] },
  ],
  ...(
    [
      'web_search_20250305',
      'web_fetch_20250910',
      'code_execution_20250825',
      'tool_search_tool_regex_20251119',
      'advisor_20260301',
      'mcp_toolset',
    ] as const
  ).map((type) => ['messages', 'tools', { tools: [{ type, name: 'x' }] }] as const),
  ['messages', 'tools', { tools: [{ name: 'a', input_schema: parameters, ...hour }] }],
  ['messages', 'mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://mcp.example', name: 'x' }] }],
  ['messages', 'container', { container: 'container_1' }],
  ['messages', 'container', { container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } }],
  ['messages', 'compaction', { compaction: { type: 'auto' } }],
  ['messages', 'context_management', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
  ['messages', 'fallbacks', { fallbacks: [{ model: 'claude-large' }] }],
  ['messages', 'thread', { thread: { id: 'thread_1' } }],
  ['messages', 'cache_control', hour],
  ['messages', 'system', { system: [{ type: 'text', text: 'x', ...hour }] }],
  ['messages', 'messages', { messages: said({ type: 'text', text: 'x', ...hour }) }],
  [
    'messages',
    'messages',
    { messages: said({ type: 'tool_result', content: [{ type: 'text', text: 'x', ...hour }] }) },
  ],
  ['messages', 'messages', { messages: said({ type: 'image', source: { type: 'file', file_id: 'file_1' } }) }],
  ['messages', 'messages', { messages: said({ type: 'document', source: { type: 'file', file_id: 'file_1' } }) }],
  ['messages', 'messages', { messages: said({ type: 'container_upload', file_id: 'file_1' }) }],
]

const TAKEN: readonly (readonly [Surface, Json])[] = [
  ['chat', { service_tier: 'auto', modalities: ['text'], audio: null, prediction: null, web_search_options: null }],
  ['chat', { service_tier: 'default', tools: [{ type: 'function', function: { name: 'a', parameters } }] }],
  ['chat', { service_tier: null, tools: [{ type: 'custom', custom: { name: 'a' } }], plugins: [], models: [] }],
  ['chat', { messages: said({ type: 'image_url', image_url: { url: 'https://pictures.example/1.png' } }) }],
  ['chat', { messages: said({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }) }],
  ['chat', { store: false, enable_search: false, deferred: false, extra_body: {}, extra_headers: null }],
  ['chat', { cache_control_injection_points: [{ location: 'message', role: 'system' }] }],
  ['chat', { max_tokens: 10, best_of: 1, max_output_tokens: null }],
  ['responses', { max_output_tokens: 10 }],
  ['chat', { functions: [{ name: 'a', parameters }] }],
  ['chat', { speed: 'standard', context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }],
  ['chat', { chat_template_kwargs: { enable_thinking: false }, chat_template: null, drop_params: false }],
  ['chat', { extra_body: { google: { thinking_config: { thinking_budget: 1_000 } } } }],
  ['chat', { venice_parameters: { enable_web_search: 'off', include_venice_system_prompt: true } }],
  [
    'responses',
    { store: false, background: false, prompt: null, previous_response_id: null, conversation: null, tools: [] },
  ],
  ['responses', { tools: [{ type: 'function', name: 'a', parameters, strict: true }, { type: 'local_shell' }] }],
  ['responses', { tools: [{ type: 'shell', environment: { type: 'local' } }, { type: 'apply_patch' }] }],
  ['responses', { input: [ENTRY, { type: 'additional_tools', role: 'developer', tools: [{ type: 'function' }] }] }],
  [
    'responses',
    {
      input: [
        { ...ENTRY, id: 'msg_1' },
        { type: 'image_generation_call', id: 'ig_1', result: 'iVBOR' },
      ],
    },
  ],
  [
    'responses',
    { tools: [{ type: 'computer_use_preview', display_width: 1, display_height: 1, environment: 'linux' }] },
  ],
  ['messages', { service_tier: 'standard_only', speed: 'standard', container: null, mcp_servers: [] }],
  [
    'messages',
    {
      tools: [
        { name: 'a', input_schema: parameters },
        { type: 'custom', name: 'b', input_schema: {} },
      ],
    },
  ],
  [
    'messages',
    {
      tools: [
        { type: 'bash_20250124', name: 'bash' },
        { type: 'memory_20250818', name: 'memory' },
      ],
    },
  ],
  ['messages', { tools: [{ type: 'computer_20251124', name: 'computer', display_width_px: 1, display_height_px: 1 }] }],
  ['messages', { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }],
  ['messages', { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '5m' } }] }],
]

describe('anything that costs more than the model’s price is refused by its field, with the reason', () => {
  test.each(REFUSED)('%s: %s of %j', (surface, field, part) => {
    const answer = read(surface, part)
    expect(answer).toMatchObject({ ok: false, field })
    if (!answer.ok) expect(answer.message).toMatch(/^(is not offered: |have |refer to |mark |must be )/)
  })
})

describe('tools that the client runs itself', () => {
  const LOCAL: readonly (readonly [Surface, readonly string[]])[] = [
    ['chat', ['function', 'custom']],
    ['responses', ['function', 'custom', 'local_shell', 'apply_patch', 'computer', 'computer_use_preview']],
    [
      'messages',
      [
        ...['custom', 'bash_20250124', 'text_editor_20250728', 'memory_20250818', 'computer_20251124'],
        ...['computer_toolset_20260101', 'browser_toolset_20260101'],
      ],
    ],
  ]
  const faultOf = (surface: Surface, type: unknown) => unpricedIn(surface, { tools: [{ type }] })
  const all = LOCAL.flatMap(([surface, types]) => types.map((type) => [surface, type] as const))

  test.each(all)('default: %s accepts %s', (surface, type) => expect(faultOf(surface, type)).toBeUndefined())

  test.each(all)('behavior: %s refuses a type whose name only contains %s', (surface, type) => {
    expect(faultOf(surface, `${type}_more`)).toMatchObject({ field: 'tools' })
    expect(faultOf(surface, `more_${type}`)).toMatchObject({ field: 'tools' })
  })

  test.each(['chat', 'responses', 'messages'] as const)(
    'behavior: a tool of %s without a type is run by the client',
    (surface) => {
      for (const type of [undefined, null]) expect(faultOf(surface, type)).toBeUndefined()
      expect(faultOf(surface, '')).toMatchObject({ field: 'tools' })
    },
  )

  test('behavior: a tool of a chat that names a function is its client’s, whatever else it has', () => {
    const described = { name: 'a', parameters: {} }
    for (const tool of [
      { function: described, googleSearch: null },
      described,
      { custom: { name: 'a' }, strict: true },
    ])
      expect(unpricedIn('chat', { tools: [tool] })).toBeUndefined()
    expect(unpricedIn('chat', { tools: [{ googleSearch: {} }] })?.message).toMatch(
      /^have one of type googleSearch, which/,
    )
  })

  test('behavior: embeddings accept no tools', () => {
    for (const type of ['function', 'custom', 'x'])
      expect(faultOf('embeddings', type)).toMatchObject({ field: 'tools' })
  })

  test('behavior: a shell with a local environment is run by the client; no other tool with one is', () => {
    const tools = (type: string) => unpricedIn('responses', { tools: [{ type, environment: { type: 'local' } }] })
    expect(tools('shell')).toBeUndefined()
    expect(tools('mcp')).toMatchObject({ field: 'tools' })
  })

  test('error: a tool is named by the first 64 characters of its type', () => {
    expect(faultOf('chat', 'x'.repeat(100))?.message).toMatch(/^have one of type x{64}, which/)
  })
})

test.each([
  ...['auto', 'default', 'standard_only', 'standard', null, []].map((service_tier) => ({ service_tier })),
  ...[{ speed: 'standard' }, { mcp_servers: [] }, { modalities: 'text' }, { modalities: [] }],
  ...[{ context_management: { edits: [] } }, { context_management: null }, { cache_control: { ttl: '5m' } }],
  ...[{ tools: 'web_search' }, { route: 'x' }, { messages: 'text' }],
])('behavior: %j costs nothing extra', (part) => expect(unpricedIn('messages', part)).toBeUndefined())

test('behavior: a context edit is free when its name begins with clear_', () => {
  const edits = (...types: unknown[]) =>
    unpricedIn('messages', { context_management: { edits: types.map((type) => ({ type })) } })
  expect(edits('clear_tool_uses_20250919', 'clear_thinking_20251015')).toBeUndefined()
  for (const type of ['compact_20260112', 'not_clear_', 7]) {
    expect(edits('clear_thinking_20251015', type)).toMatchObject({ field: 'context_management' })
  }
  expect(unpricedIn('embeddings', { context_management: { edits: [{ type: 'compact' }] } })).toBeUndefined()
})

test('behavior: parts are found only in the fields where the surface has its prompt', () => {
  const sound = [{ content: [{ type: 'input_audio' }] }]
  const found = (surface: Surface) =>
    ['messages', 'system', 'input'].filter((field) => unpricedIn(surface, { [field]: sound })?.field === field)
  expect([found('chat'), found('responses'), found('messages'), found('embeddings')]).toEqual([
    ['messages'],
    ['input'],
    ['messages', 'system'],
    [],
  ])
})

test.each(TAKEN)('anything that costs only tokens is accepted: %s %j', (surface, part) => {
  expect(read(surface, part)).toMatchObject({ ok: true })
})

describe('the hold covers input with more tokens than bytes', () => {
  const request = (surface: Surface, part: Json) => {
    const answer = read(surface, part)
    return answer.ok ? answer.request : answer.field
  }
  const document = (source: Json) => ({ messages: said({ type: 'document', source }) })

  test.each<[Surface, Json]>([
    ['chat', { messages: said({ type: 'file', file: { filename: 'a.pdf', file_data: PDF } }) }],
    ['chat', { messages: said({ type: 'video_url', video_url: { url: 'https://files.example/an-hour.mp4' } }) }],
    ['chat', { messages: said({ video_url: 'https://files.example/an-hour.mp4' }) }],
    ['responses', { input: said({ type: 'input_file', filename: 'a.pdf', file_data: PDF }) }],
    ['responses', { input: said({ type: 'input_file', file_url: 'https://files.example/a.pdf' }) }],
    ['messages', document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' })],
    ['messages', document({ type: 'url', url: 'https://files.example/a.pdf' })],
  ])('a file or a video: %s %j', (surface, part) => {
    expect(request(surface, part)).toMatchObject({ hasFiles: true })
  })

  test('an image without a type', () => {
    const url = 'https://pictures.example/1.png'
    for (const part of [{ image_url: url }, { type: 'text', text: 'x', uuid: '1', image_url: { url } }])
      expect(request('chat', { messages: said(part) })).toMatchObject({ images: 1 })
  })

  test('tools in the middle of a prompt', () => {
    const input = [ENTRY, { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'a' }] }]
    expect(request('responses', { input })).toMatchObject({ addedTokens: 1_000 })
  })

  test('but not a document of plain text', () => {
    expect(request('messages', document({ type: 'text', media_type: 'text/plain', data: 'x' }))).toMatchObject({
      hasFiles: false,
    })
  })

  test.each([
    [[], 0],
    [[{ name: 'a', input_schema: parameters }], 1_000],
    [
      [
        { type: 'bash_20250124', name: 'bash' },
        { name: 'a', input_schema: parameters },
      ],
      2_000,
    ],
  ])('tools: %j', (tools, addedTokens) => {
    expect(request('messages', { tools })).toMatchObject({ addedTokens })
  })
})
