import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../domain/json.ts'
import { SseScanner } from '../domain/sse.ts'
import { chatStream, messagesStream } from '../domain/stream-usage.ts'
import type { Surface } from '../domain/surface.ts'
import { chatUsage, messagesUsage, responsesUsage, type Usage } from '../domain/usage.ts'
import { eventText } from './streams/sse-text.ts'
import { translatedReader } from './streams/translated-reader.ts'
import { translationOf } from './translation.ts'
import { chatUsageBody, messagesUsageBody, responsesUsageBody } from './usage.ts'

const USAGE: Usage = { inputTokens: 9, cacheReadTokens: 2, cacheWriteTokens: 1, outputTokens: 7, reasoningTokens: 3 }
/** The Router's own count, for an upstream that reports none. */
const COUNTED: Usage = { ...USAGE, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 0 }
const ASKED: Readonly<Record<'chat' | 'messages' | 'responses', Json>> = {
  chat: { messages: [], stream: true, stream_options: { include_usage: true } },
  messages: { messages: [], thinking: { type: 'adaptive' } },
  responses: { input: 'Is it?' },
}

/** JSON as a test looks into it. */
// biome-ignore lint/suspicious/noExplicitAny: events of three APIs, read by path
type Loose = any

function translation(surface: keyof typeof ASKED) {
  const made = translationOf(surface, ASKED[surface], 1_795_339_800)
  if (!made) throw new Error(`${surface} is not translated`)
  return made
}

/** What a client of a surface receives for an upstream's stream, as the data of its events. */
function streamed(surface: keyof typeof ASKED, events: readonly (Json | '[DONE]')[]): Loose[] {
  const made = translation(surface)
  const reader = made.wire === 'chat' ? chatStream({ wantsUsage: true }) : messagesStream()
  const put = translatedReader(reader, { surface, translation: made })
  const frames = (text: string) => new SseScanner().push(Buffer.from(text))
  const out = events.flatMap((event) =>
    frames(event === '[DONE]' ? 'data: [DONE]\n\n' : eventText('chat', event)).map((frame) => put.take(frame)),
  )
  if (put.done && !put.failed) out.push(put.end(put.usage ?? COUNTED))
  return frames(out.join('')).map(({ data = '', event }) => {
    if (data === '[DONE]') return data
    const json = JSON.parse(data)
    if (surface !== 'chat') expect(event).toBe(json.type)
    return json
  })
}

type Block = {
  readonly type: 'text' | 'thinking' | 'tool_use'
  readonly pieces: readonly string[]
  readonly id: string
}

const pieces = fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })
const block: fc.Arbitrary<Block> = fc.record({
  type: fc.constantFrom('text', 'thinking', 'tool_use'),
  pieces,
  id: fc.uuid(),
})
/** An answer of a model: never two consecutive blocks of one kind, except tool calls. */
const answer = fc
  .array(block, { minLength: 1, maxLength: 5 })
  .map((all) => all.filter(({ type }, at) => type === 'tool_use' || all[at - 1]?.type !== type))
const stops = fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'refusal')

const textOf = ({ pieces: said }: Block) => said.join('')
const inputOf = (one: Block) => ({ said: textOf(one) })
const usage = messagesUsageBody(USAGE)

/** A complete message of an upstream. */
const messageOf = (blocks: readonly Block[], stop: string): Json => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'there', stop_reason: stop, usage },
  content: blocks.map((one) => {
    if (one.type === 'text') return { type: 'text', text: textOf(one) }
    if (one.type === 'thinking') return { type: 'thinking', thinking: textOf(one), signature: one.id }
    return { type: 'tool_use', id: one.id, name: 'weather', input: inputOf(one) }
  }),
})

/** The same message as streamed by its upstream. */
const eventsOf = (blocks: readonly Block[], stop: string): Json[] => [
  {
    type: 'message_start',
    message: { ...messageOf([], stop), stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  },
  { type: 'ping' },
  ...blocks.flatMap((one, index) => {
    const delta = (said: Json): Json => ({ type: 'content_block_delta', index, delta: said })
    const start = (content_block: Json): Json => ({ type: 'content_block_start', index, content_block })
    const end = { type: 'content_block_stop', index }
    const { type, id } = one
    if (type === 'text') {
      return [start({ type, text: '' }), ...one.pieces.map((text) => delta({ type: 'text_delta', text })), end]
    }
    if (type === 'thinking') {
      const thoughts = one.pieces.map((thinking) => delta({ type: 'thinking_delta', thinking }))
      return [
        start({ type, thinking: '', signature: '' }),
        ...thoughts,
        delta({ type: 'signature_delta', signature: id }),
        end,
      ]
    }
    const text = JSON.stringify(inputOf(one))
    const halves = [text.slice(0, 3), text.slice(3)].map((partial_json) =>
      delta({ type: 'input_json_delta', partial_json }),
    )
    return [start({ type, id, name: 'weather', input: {} }), ...halves, end]
  }),
  { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
]

/** A chat completion, assembled from its chunks as clients do. */
function chatOf(chunks: readonly Loose[]): Loose {
  expect(chunks.at(-1)).toBe('[DONE]')
  const all = chunks.slice(0, -1)
  const message: Loose = { role: 'assistant', content: '', refusal: null }
  for (const { delta } of all.flatMap(({ choices }) => choices)) {
    message.content += delta.content ?? ''
    if (delta.reasoning_content) message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
    for (const { index, ...call } of delta.tool_calls ?? []) {
      message.tool_calls ??= []
      message.tool_calls[index] ??= { ...call, function: { ...call.function, arguments: '' } }
      message.tool_calls[index].function.arguments += call.function.arguments
    }
  }
  if (message.content === '' && message.tool_calls) message.content = null
  const [{ id, created, model }] = all
  const finish_reason = all.flatMap(({ choices }) => choices).at(-1).finish_reason
  return {
    ...{ id, object: 'chat.completion', created, model, usage: all.at(-1).usage },
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
  }
}

/** A message, assembled from its events as clients do. */
function messageFrom([start, ...events]: readonly Loose[]): Loose {
  const message = structuredClone(start.message)
  const partial: string[] = []
  for (const event of events) {
    const at = message.content[event.index]
    if (event.type === 'content_block_start') message.content[event.index] = structuredClone(event.content_block)
    if (event.type === 'message_delta') {
      Object.assign(message, event.delta)
      Object.assign(message.usage, event.usage)
    }
    if (event.type === 'content_block_stop' && at.type === 'tool_use')
      at.input = JSON.parse(partial[event.index] || '{}')
    if (event.type !== 'content_block_delta') continue
    const { text, thinking, partial_json } = event.delta
    if (text) at.text += text
    if (thinking) at.thinking += thinking
    if (partial_json) partial[event.index] = (partial[event.index] ?? '') + partial_json
  }
  return message
}

describe('a stream of messages', () => {
  test('adds up to the chat completion that the whole message gives', () => {
    fc.assert(
      fc.property(answer, stops, (blocks, stop) => {
        const whole: Loose = translation('chat').whole(messageOf(blocks, stop), USAGE)
        delete whole.choices[0].message.reasoning_details
        expect(chatOf(streamed('chat', eventsOf(blocks, stop)))).toEqual(whole)
        expect(chatUsage(whole)).toEqual(USAGE)
      }),
    )
  })

  test('adds up to the response that the whole message gives', () => {
    fc.assert(
      fc.property(answer, stops, (blocks, stop) => {
        const events = streamed('responses', eventsOf(blocks, stop))
        expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()])
        const { type, response } = events.at(-1)
        const whole: Loose = translation('responses').whole(messageOf(blocks, stop), USAGE)
        expect(type).toBe(`response.${whole.status}`)
        expect(responsesUsage(response)).toEqual(USAGE)
        const { output, ...rest } = response
        const { output: expected, ...others } = whole
        expect(rest).toEqual(others)
        const texts = (items: Loose[]) =>
          items
            .flatMap((item) => item.content ?? [])
            .map(({ text }) => text)
            .join('')
        expect(texts(output)).toBe(texts(expected))
        const calls = (items: Loose[]) =>
          items.filter((item) => item.type === 'function_call').map(({ status, ...call }) => call)
        expect(calls(output)).toEqual(calls(expected))
        const added = events.filter((event) => event.type === 'response.output_item.added')
        const done = events.filter((event) => event.type === 'response.output_item.done')
        expect(done.map(({ item }) => item)).toEqual(output)
        expect(added.map(({ item, output_index }) => [item.id, output_index])).toEqual(
          output.map((item: Loose, at: number) => [item.id, at]),
        )
      }),
    )
  })

  test('error: a response that does not end is abandoned before it fills the memory', () => {
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(2 ** 19) } }
    const [start = {}] = eventsOf([], 'end_turn')
    // Megabytes are passed as events, which the scanner would search byte by byte.
    const taken = (...events: readonly Json[]) => {
      const put = translatedReader(messagesStream(), { surface: 'responses', translation: translation('responses') })
      for (const event of events)
        put.take({ raw: eventText('chat', event), event: undefined, data: JSON.stringify(event) })
    }
    expect(() => taken(start, ...Array<Json>(8).fill(delta))).not.toThrow()
    expect(() => taken(start, ...Array<Json>(9).fill(delta))).toThrow(RangeError)
  })

  test('behavior: a tool without arguments is called with an empty object', () => {
    const [start, ...rest] = eventsOf([], 'tool_use')
    const call = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: '1', name: 'now', input: {} },
    }
    const chat = chatOf(
      streamed('chat', [start ?? {}, call, { type: 'content_block_stop', index: 0 }, ...rest.slice(1)]),
    )
    expect(chat.choices[0].message.tool_calls[0].function).toEqual({ name: 'now', arguments: '{}' })
  })

  test('behavior: the arguments of a server-side tool are not passed to the client', () => {
    const server = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'server_tool_use', id: '1', name: 'x' },
    }
    const delta = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
    }
    const [start = {}, ...rest] = eventsOf([], 'end_turn')
    const chunks = streamed('chat', [start, server, delta, { type: 'content_block_stop', index: 0 }, ...rest])
    expect(JSON.stringify(chunks)).not.toContain('tool_calls')
  })

  test('behavior: an error is sent once, in the client’s shape, and no end follows', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const [start = {}, ...rest] = eventsOf([], 'end_turn')
    expect(streamed('chat', [start, error, error, ...rest]).slice(1)).toEqual([
      { error: expect.objectContaining({ message: 'Overloaded', code: 'upstream_error', param: null }) },
    ])
    expect(streamed('responses', [start, error]).at(-1)).toMatchObject({ type: 'error', message: 'Overloaded' })
  })
})

/** The chat completion for an upstream's message. */
const completionOf = (blocks: readonly Block[], stop: string): Loose =>
  translation('chat').whole(messageOf(blocks, stop), USAGE)

describe('a stream of a chat completion', () => {
  test('adds up to the message that the whole completion gives', () => {
    fc.assert(
      fc.property(answer, stops, (blocks, stop) => {
        const chunks = streamed('chat', eventsOf(blocks, stop))
        const message = messageFrom(streamed('messages', chunks))
        const whole: Loose = translation('messages').whole(completionOf(blocks, stop), USAGE)
        // A chat has one text and one reasoning; their order among the blocks is only visible in the stream.
        const joined = ({ content }: Loose) => ({
          text: content.map((one: Loose) => one.text ?? '').join(''),
          thinking: content.map((one: Loose) => one.thinking ?? '').join(''),
          calls: content.filter((one: Loose) => one.type === 'tool_use'),
        })
        expect(joined(message)).toEqual(joined(whole))
        expect(messagesUsage(message)).toEqual(USAGE)
        expect([message.stop_reason, message.id, message.model]).toEqual([whole.stop_reason, whole.id, whole.model])
      }),
    )
  })

  const chunk = (delta: Json, finish: string | null = null): Json => ({
    ...{ id: 'c', model: 'there', choices: [{ index: 0, delta, finish_reason: finish }] },
  })

  test('behavior: a provider that identifies a call only by its id, or ends a call with stop, is understood', () => {
    const call = (id: string, text: string) => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: text },
    })
    const rest = (text: string) => ({ function: { arguments: text } })
    const message = messageFrom(
      streamed('messages', [
        chunk({ role: 'assistant', tool_calls: [call('1', '{"a"')] }),
        chunk({ tool_calls: [rest(':1}')] }),
        chunk({ tool_calls: [call('2', '{}')] }, 'stop'),
        '[DONE]',
      ]),
    )
    expect(message).toMatchObject({
      ...{ stop_reason: 'tool_use', usage: { input_tokens: 9, output_tokens: 5 } },
      content: [
        { type: 'tool_use', id: '1', input: { a: 1 } },
        { type: 'tool_use', id: '2', input: {} },
      ],
    })
  })

  test('behavior: calls of a provider that gives all of them one index, or an empty id, are told apart', () => {
    const begun = (id: string, name: string, text: string) => ({
      tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: text } }],
    })
    const more = (id: string, text: string) => ({ tool_calls: [{ index: 0, id, function: { arguments: text } }] })
    const answered = (deltas: readonly Json[]) =>
      messageFrom(streamed('messages', [...deltas.map((delta) => chunk(delta)), '[DONE]'])).content
    const [one, other] = [
      { type: 'tool_use', id: '1', name: 'weather', input: { a: 1 } },
      { type: 'tool_use', id: '2', name: 'weather', input: { b: 2 } },
    ]
    expect(answered([begun('1', 'weather', '{"a":1}'), begun('2', 'weather', '{"b":2}')])).toEqual([one, other])
    expect(answered([begun('1', 'weather', '{"a"'), more('another', ':1}')])).toEqual([one])
    const tool_calls = [begun('', 'weather', '{"a":1}'), begun('', 'weather', '{"b":2}')].flatMap(
      (all) => all.tool_calls,
    )
    const whole: Loose = translation('messages').whole({ id: 'chat', choices: [{ message: { tool_calls } }] }, USAGE)
    const ids = whole.content.map(({ id }: Loose) => id)
    expect(ids).not.toContain('')
    expect(new Set(ids).size).toBe(2)
    expect(answered([begun('', 'weather', '{"a":1}')])).toMatchObject([{ id: expect.stringMatching(/./) }])
  })

  test('behavior: the pieces of calls that alternate arrive in one block each, before the next begins', () => {
    const piece = (index: number, text: string, more: Json = {}, name?: string) => ({
      tool_calls: [{ index, ...more, function: { ...(name ? { name } : {}), arguments: text } }],
    })
    const deltas = [
      { content: 'Both.' },
      piece(0, '', { id: 'a', type: 'function' }, 'weather'),
      piece(1, '', { id: 'b', type: 'function' }, 'maps'),
      ...[piece(0, '{"a"'), piece(1, '{"b":'), piece(0, ':1}'), piece(1, '2}')],
      piece(2, '{"c":3}', { id: 'c', type: 'function' }, 'maps'),
    ]
    const events = streamed('messages', [...deltas.map((delta) => chunk(delta)), '[DONE]'])
    expect(messageFrom(events)).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Both.' },
        { type: 'tool_use', id: 'a', input: { a: 1 } },
        { type: 'tool_use', id: 'b', input: { b: 2 } },
        { type: 'tool_use', id: 'c', input: { c: 3 } },
      ],
    })
    const places = events.map(({ index }: Loose) => index).filter((index) => index !== undefined)
    expect(places).toEqual(places.toSorted())
    const stops = events.filter(({ type }: Loose) => type === 'content_block_stop')
    expect(stops.map(({ index }: Loose) => index)).toEqual([0, 1, 2, 3])
  })

  test('behavior: calls one after the other are passed on as they come', () => {
    const call = (index: number, text: string) => ({
      tool_calls: [{ index, id: `${index}`, type: 'function', function: { name: 'weather', arguments: text } }],
    })
    const events = translation('messages').events()
    events.take(chunk(call(0, '{"a":1}')))
    expect(events.take(chunk(call(1, '{"b"')))).toMatchObject([
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1 },
      { type: 'content_block_delta', index: 1, delta: { partial_json: '{"b"' } },
    ])
  })

  test('behavior: an empty answer is a message without blocks', () => {
    const message = messageFrom(streamed('messages', [chunk({}, 'stop'), '[DONE]']))
    expect(message).toMatchObject({ content: [], stop_reason: 'end_turn' })
  })

  test('behavior: a refusal becomes the text and the stop reason', () => {
    const message = messageFrom(
      streamed('messages', [chunk({ refusal: 'No.' }), chunk({}, 'content_filter'), '[DONE]']),
    )
    const refusal = { content: [{ type: 'text', text: 'No.' }], stop_reason: 'refusal' }
    expect(message).toMatchObject(refusal)
    // OpenAI's models refuse a schema with finish_reason stop.
    const stopped = [chunk({ refusal: 'N' }), chunk({ refusal: 'o.' }), chunk({}, 'stop'), '[DONE]' as const]
    expect(messageFrom(streamed('messages', stopped))).toMatchObject(refusal)
    const choices = [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }]
    expect(translation('messages').whole({ choices }, USAGE)).toMatchObject(refusal)
  })

  test('behavior: a content that is a list of reasoning and text is read like one that is text', () => {
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
    const content = [thought, { type: 'text', text: 'Yes.' }]
    const message = { role: 'assistant', content }
    const chat = { id: 'chatcmpl-1', model: 'there', choices: [{ index: 0, message, finish_reason: 'stop' }] }
    const said = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ]
    expect(translation('messages').whole(chat, USAGE)).toMatchObject({ content: said })
    const deltas = [{ content: [thought] }, { content: 'Yes.' }]
    const events = streamed('messages', [...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })), '[DONE]'])
    expect(events.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta)).toEqual([
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'text_delta', text: 'Yes.' },
    ])
  })

  test('behavior: reasoning is withheld from a client that does not ask for it', () => {
    const made = translationOf('messages', { messages: [] }, 0)
    const message = { role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' }
    const whole: Loose = made?.whole({ choices: [{ index: 0, message, finish_reason: 'stop' }] }, USAGE)
    expect(whole.content).toEqual([{ type: 'text', text: 'Yes.', citations: null }])
  })
})

test.each(['chat', 'messages', 'responses'] as const)(
  'a body that is not an answer is not translated: %s',
  (surface) => {
    for (const answer of [{}, { error: { message: 'x' } }, { choices: [] }, { content: 'x' }, { choices: 'x' }]) {
      expect(translation(surface).whole(answer, USAGE)).toBeUndefined()
    }
  },
)

test('embeddings are not translated', () => {
  expect(translationOf('embeddings' satisfies Surface, {}, 0)).toBeUndefined()
})

test.each([
  ['chat', chatUsage, chatUsageBody],
  ['responses', responsesUsage, responsesUsageBody],
  ['messages', (json: unknown) => messagesUsage(json), messagesUsageBody],
] as const)('usage reads back as it was written: %s', (_, read, body) => {
  const tokens = fc.nat({ max: 1_000_000 })
  fc.assert(
    fc.property(
      tokens,
      tokens,
      tokens,
      tokens,
      tokens,
      (fresh, cacheReadTokens, cacheWriteTokens, said, reasoningTokens) => {
        const inputTokens = fresh + cacheReadTokens + cacheWriteTokens
        const outputTokens = said + reasoningTokens
        const made: Usage = { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens }
        expect(read({ usage: body(made) })).toEqual(made)
      },
    ),
  )
})
