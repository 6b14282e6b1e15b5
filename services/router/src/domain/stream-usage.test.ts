import { describe, expect, test } from 'vitest'
import type { SseFrame } from './sse.ts'
import { chatStream, messagesStream, responsesStream, type StreamReader } from './stream-usage.ts'

const frame = (json: unknown, event?: string): SseFrame => {
  const data = typeof json === 'string' ? json : JSON.stringify(json)
  return { raw: `${event ? `event: ${event}\n` : ''}data:  ${data}\n\n`, event, data: ` ${data}` }
}
const sent = (reader: StreamReader, ...jsons: unknown[]) => jsons.map((json) => reader.take(frame(json)))
const state = ({ usage, done, failed, text }: StreamReader) => ({ usage, done, failed, text })
const used = (inputTokens: number, outputTokens: number) => ({
  ...{ inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
})
const COMMENT: SseFrame = { raw: ': ping\n\n', event: undefined, data: undefined }
const NOTHING = { usage: undefined, done: false, failed: undefined, text: 0 }

describe.each([
  ['chat', () => chatStream({ wantsUsage: false })],
  ['responses', responsesStream],
  ['messages', messagesStream],
])('%s', (_name, begin) => {
  test('behavior: nothing is sent after the last event', () => {
    expect(begin().end(used(1, 1))).toBe('')
  })

  test('behavior: comments and unreadable events pass byte for byte', () => {
    const reader = begin()
    expect(reader.take(COMMENT)).toBe(COMMENT.raw)
    for (const text of ['{', 'null', '[]', '7', '{}', '{"type":7}']) {
      expect(reader.take(frame(text))).toBe(frame(text).raw)
    }
    expect(state(reader)).toEqual(NOTHING)
  })
})

test.each([
  ['chat', chatStream({ wantsUsage: true }), '[DONE]'],
  ['messages', messagesStream(), { type: 'message_stop' }],
])('%s: an end without anything before it is no end, and is not sent on', (_name, reader, end) => {
  expect(sent(reader, end)).toEqual([undefined])
  expect(state(reader)).toEqual(NOTHING)
})

describe('chatStream', () => {
  const chunk = (delta: unknown, more: object = {}) => ({ id: 'c', choices: [{ index: 0, delta }], ...more })
  const usageChunk = (prompt_tokens: number, completion_tokens: number) => ({
    ...{ id: 'c', choices: [], usage: { prompt_tokens, completion_tokens } },
  })

  test('default: a client that asked for usage gets the stream byte for byte', () => {
    const reader = chatStream({ wantsUsage: true })
    const stream = [chunk({ content: 'Hi' }, { usage: null }), usageChunk(7, 2), '[DONE]']
    expect(sent(reader, ...stream)).toEqual(stream.map((json) => frame(json).raw))
    expect(state(reader)).toEqual({ usage: used(7, 2), done: true, failed: undefined, text: 2 })
  })

  test('an answer is finished once each choice that began has its reason, and no longer if one goes on', () => {
    const reader = chatStream({ wantsUsage: true })
    const choices = (...each: readonly [number, unknown][]) => ({
      choices: each.map(([index, finish_reason]) => ({ index, delta: {}, finish_reason })),
    })
    const finished = [
      choices(),
      choices([0, null], [1, undefined]),
      choices([0, 'stop']),
      choices([1, '']),
      choices([1, 'length']),
      usageChunk(7, 2),
      choices([0, null]),
      choices([0, 'stop']),
    ].map((json) => {
      sent(reader, json)
      return reader.finished
    })
    expect(finished).toEqual([false, false, false, false, true, true, false, true])
  })

  test('default: a client that did not ask gets neither the usage chunk nor the empty members', () => {
    const reader = chatStream({ wantsUsage: false })
    const plain = chunk({ content: 'Hi' })
    expect(sent(reader, chunk({ content: 'Hi' }, { usage: null }), plain, usageChunk(7, 2), '[DONE]')).toEqual([
      `data: ${JSON.stringify(plain)}\n\n`,
      frame(plain).raw,
      undefined,
      frame('[DONE]').raw,
    ])
    expect(state(reader)).toEqual({ usage: used(7, 2), done: true, failed: undefined, text: 4 })
  })

  test('behavior: a rewritten event keeps its name and its comments', () => {
    const raw = ': first\r\nevent: chunk\r\ndata: {"choices":[{}],\r\ndata: "usage":null}\r\n\r\n'
    const reader = chatStream({ wantsUsage: false })
    expect(reader.take({ raw, event: 'chunk', data: '{"choices":[{}],\n"usage":null}' })).toBe(
      ': first\nevent: chunk\ndata: {"choices":[{}]}\n\n',
    )
  })

  test('behavior: rewriting an event replaces all its data lines and no other line', () => {
    const reader = chatStream({ wantsUsage: false })
    const raw = '\uFEFFdata: {"usage":\rdata\rdata:null}\rdatabase: x\r: data: y\r\r'
    expect(reader.take({ raw, event: undefined, data: '{"usage":\n\nnull}' })).toBe(
      'database: x\n: data: y\ndata: {}\n\n',
    )
  })

  test('behavior: usage without a list of choices passes like any other event', () => {
    const reader = chatStream({ wantsUsage: false })
    const odd = { choices: 'none', usage: { prompt_tokens: 7, completion_tokens: 2 } }
    expect([sent(reader, odd), reader.usage]).toEqual([[frame(odd).raw], used(7, 2)])
  })

  test('behavior: an event named error is a failure, whatever it says, and remains one', () => {
    const reader = chatStream({ wantsUsage: false })
    reader.take(frame('overloaded', 'error'))
    sent(reader, chunk({ content: 'a' }))
    expect(reader.failed).toBe('of_request')
  })

  test('behavior: the text of an answer is kept in its parts', () => {
    const reader = chatStream({ wantsUsage: false })
    expect(reader.said).toEqual([])
    sent(reader, chunk({ content: 'Two ' }), chunk({ content: 'maps' }), chunk({ refusal: 'no' }))
    expect(reader.said).toEqual(['Two maps', 'no'])
  })

  test('behavior: usage next to an answer is read and kept', () => {
    const reader = chatStream({ wantsUsage: false })
    const last = chunk({}, { usage: { prompt_tokens: 7, completion_tokens: 2 } })
    expect([sent(reader, last), reader.usage]).toEqual([[frame(last).raw], used(7, 2)])
  })

  test('behavior: when usage comes twice, the last plausible one counts', () => {
    const reader = chatStream({ wantsUsage: false })
    expect(sent(reader, usageChunk(7, 2), usageChunk(7, 3), usageChunk(7, -1))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(reader.usage).toEqual(used(7, 3))
  })

  test('behavior: text, refusals, reasoning, names and arguments of tools of every choice are counted', () => {
    const reader = chatStream({ wantsUsage: true })
    const calls = { tool_calls: [{ function: { name: 'f', arguments: '{}' } }, { function: { arguments: '123' } }] }
    sent(
      reader,
      chunk({ content: '😀', refusal: 'no' }),
      chunk({ reasoning_content: 'abc', reasoning: null }),
      chunk(calls),
    )
    sent(reader, chunk({ function_call: { arguments: '1' } }), {
      choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }],
    })
    sent(reader, chunk({ tool_calls: [{ type: 'custom', custom: { name: 'f', input: 'abcd' } }] }))
    const thinking = [{ type: 'text', text: 'abcde' }]
    sent(
      reader,
      chunk({
        content: [
          { type: 'thinking', thinking },
          { type: 'text', text: 'abcdef' },
        ],
      }),
    )
    expect(reader.text).toBe(2 + 2 + 3 + 1 + 5 + 1 + 2 + 1 + 4 + 5 + 6)
    expect(reader.said).toContain('abcabcde')
  })

  test('behavior: an error chunk is a failure and is passed on', () => {
    const reader = chatStream({ wantsUsage: false })
    const error = { error: { code: 503, message: 'overloaded' } }
    expect(sent(reader, error)).toEqual([frame(error).raw])
    expect(state(reader)).toEqual({ ...NOTHING, failed: 'of_upstream' })
  })

  test.each([{}, { content: null }, { tool_calls: [null, 7] }, null])(
    'behavior: a delta of %j counts as nothing',
    (delta) => {
      const reader = chatStream({ wantsUsage: true })
      sent(reader, chunk(delta), { choices: null })
      expect(reader.text).toBe(0)
    },
  )
})

describe('responsesStream', () => {
  test('default: the next event has the number after the last one', () => {
    const reader = responsesStream()
    expect(reader.next).toBe(0)
    const take = (event: object) => {
      const raw = `data: ${JSON.stringify(event)}\n\n`
      reader.take({ raw, event: undefined, data: JSON.stringify(event) })
    }
    take({ type: 'response.created', sequence_number: 4 })
    take({ type: 'response.in_progress' })
    expect(reader.next).toBe(5)
    expect(chatStream({ wantsUsage: true }).next).toBe(0)
  })

  const usage = { input_tokens: 7, output_tokens: 2 }

  test.each([
    ['response.completed', undefined],
    ['response.incomplete', undefined],
    ['response.failed', 'of_request'],
  ])('default: %s ends the stream', (type, failed) => {
    const reader = responsesStream()
    const stream = [
      { type: 'response.created', response: { usage: null } },
      { type, response: { usage } },
    ]
    expect(sent(reader, ...stream)).toEqual(stream.map((json) => frame(json).raw))
    expect(state(reader)).toEqual({ usage: used(7, 2), done: true, failed, text: 0 })
  })

  test('behavior: an error is a failure but not an end', () => {
    const reader = responsesStream()
    sent(reader, { type: 'error', code: 'server_error', message: 'overloaded' })
    expect(state(reader)).toEqual({ ...NOTHING, failed: 'of_upstream' })
  })

  test('behavior: a response that failed says whose failure it was', () => {
    const failed = (code: string) => {
      const reader = responsesStream()
      sent(reader, { type: 'response.failed', response: { error: { code } } })
      return reader.failed
    }
    expect([failed('server_error'), failed('invalid_prompt')]).toEqual(['of_upstream', 'of_request'])
  })

  test.each(['xresponse.completed', 'response.completed.x', 'response.complete'])(
    'behavior: %s does not end the stream',
    (type) => {
      const reader = responsesStream()
      sent(reader, { type, response: { usage } })
      expect(state(reader)).toEqual(NOTHING)
    },
  )

  test('behavior: a failure remains one, and implausible usage does not replace earlier usage', () => {
    const reader = responsesStream()
    sent(reader, { type: 'error' }, { type: 'response.incomplete', response: { usage } })
    sent(reader, { type: 'response.completed', response: { usage: { ...usage, output_tokens: -1 } } })
    expect(state(reader)).toEqual({ usage: used(7, 2), done: true, failed: 'of_request', text: 0 })
  })

  test('behavior: the text of an answer is kept in its parts', () => {
    const reader = responsesStream()
    const delta = (item_id: string, text: string) => ({ type: 'response.output_text.delta', item_id, delta: text })
    sent(reader, delta('1', 'Two '), delta('2', 'no'), delta('1', 'maps'))
    expect(reader.said).toEqual(['Two maps', 'no'])
  })

  test('behavior: text and arguments are counted once, and audio is not counted', () => {
    const reader = responsesStream()
    sent(
      reader,
      { type: 'response.output_text.delta', delta: 'abc' },
      { type: 'response.output_text.done', text: 'abc' },
      { type: 'response.function_call_arguments.delta', delta: '{}' },
      { type: 'response.reasoning_summary_text.delta', delta: 'x' },
      { type: 'response.audio.delta', delta: 'AAAAAAAA' },
      { type: 'response.output_text.nodelta', delta: 'abc' },
      { type: 'response.output_text.delta.late', delta: 'abc' },
      { type: 'response.output_text.delta', delta: 7 },
    )
    expect(reader.text).toBe(6)
  })
})

describe('messagesStream', () => {
  const start = { type: 'message_start', message: { usage: { input_tokens: 7, output_tokens: 1 } } }
  const delta = (usage: unknown) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage })

  test('default: usage is the input of the start and the output of the last delta', () => {
    const reader = messagesStream()
    const stream = [start, delta({ output_tokens: 20 }), { type: 'message_stop' }]
    expect(sent(reader, ...stream)).toEqual(stream.map((json) => frame(json).raw))
    expect(state(reader)).toEqual({ usage: used(7, 20), done: true, failed: undefined, text: 0 })
  })

  test('behavior: before a delta the input is known; at the end, the start alone is not usage', () => {
    const reader = messagesStream()
    sent(reader, start)
    expect(reader.usage).toEqual(used(7, 1))
    sent(reader, delta({ output_tokens: -1 }), delta(undefined), { type: 'message_stop' })
    expect([reader.usage, reader.done]).toEqual([undefined, true])
  })

  test('behavior: a delta without an output count keeps the start’s, which is not usage at the end', () => {
    const reader = messagesStream()
    sent(reader, start, delta({ cache_read_input_tokens: 5 }))
    expect(reader.usage).toEqual({ ...used(12, 1), cacheReadTokens: 5 })
    sent(reader, { type: 'message_stop' })
    expect(reader.usage).toBeUndefined()
  })

  test('behavior: an output count that came once remains valid at the end, whatever follows', () => {
    const reader = messagesStream()
    sent(reader, start, delta({ output_tokens: 20 }), delta({}), { type: 'message_stop' })
    expect(reader.usage).toEqual(used(7, 20))
  })

  test('behavior: the text of a message is kept in its parts', () => {
    const reader = messagesStream()
    const piece = (index: number, text: string) => ({ type: 'content_block_delta', index, delta: { text } })
    sent(reader, piece(0, 'Two '), piece(1, 'no'), piece(0, 'maps'))
    expect(reader.said).toEqual(['Two maps', 'no'])
  })

  test('behavior: other events of a message contribute nothing', () => {
    const reader = messagesStream()
    const parts = { message: start.message, delta: { text: 'a' }, content_block: { text: 'a' } }
    sent(reader, { type: 'ping', ...parts, usage: { input_tokens: 1, output_tokens: 1 } })
    expect(state(reader)).toEqual(NOTHING)
  })

  test('behavior: counts merge over deltas, and an implausible one changes nothing', () => {
    const reader = messagesStream()
    sent(reader, start, delta({ cache_read_input_tokens: 5, output_tokens: 10 }), delta({ output_tokens: 20 }))
    sent(reader, delta({ output_tokens: 0.5 }), { type: 'message_stop' })
    expect(reader.usage).toEqual({ ...used(12, 20), cacheReadTokens: 5 })
  })

  test('behavior: text, thinking and arguments are counted, and an error is a failure', () => {
    const reader = messagesStream()
    const block = (part: object) => ({ type: 'content_block_delta', index: 0, delta: part })
    sent(reader, { type: 'content_block_start', content_block: { type: 'text', text: 'a' } })
    sent(
      reader,
      block({ text: 'bc' }),
      block({ thinking: 'd' }),
      block({ partial_json: '{}' }),
      block({ signature: 'xxx' }),
    )
    sent(reader, { type: 'error', error: { type: 'overloaded_error' } })
    expect(state(reader)).toEqual({ ...NOTHING, failed: 'of_upstream', text: 6 })
  })
})
