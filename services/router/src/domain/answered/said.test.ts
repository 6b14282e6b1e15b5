import { expect, test } from 'vitest'
import type { Surface } from '../surface.ts'
import { TooLong } from './gathered-bytes.ts'
import { SAID_IN, Said } from './said.ts'

const saidBy = (surface: Surface, ...events: object[]) => {
  const said = new Said()
  for (const event of events) SAID_IN[surface](said, event as Record<string, unknown>)
  return said.parts.toSorted()
}

const call = { index: 0, function: { name: 'find', arguments: '{"q":"maps"}' } }

test('a chat yields the same text whole and streamed: texts of its choices, names and arguments of tools', () => {
  const whole = saidBy('chat', {
    choices: [
      { index: 0, message: { content: 'Two maps', tool_calls: [call] } },
      { index: 1, message: { content: 'One map' } },
    ],
  })
  const pieces = saidBy(
    'chat',
    { choices: [{ index: 0, delta: { content: 'Two ' } }] },
    { choices: [{ index: 1, delta: { content: 'One map' } }] },
    { choices: [{ index: 0, delta: { content: 'maps' } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { name: 'find', arguments: '' } }] } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '{"q":' } }] } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"maps"}' } }] } }] },
    { choices: [], usage: null },
  )
  expect(whole).toEqual(['One map', 'Two maps', 'find', '{"q":"maps"}'])
  expect(pieces).toEqual(whole)
})

test('what a client’s own tool, or a function of the older form, is called with belongs to the answer of a chat', () => {
  const custom = { index: 0, type: 'custom', custom: { name: 'note', input: 'Two maps' } }
  const function_call = { name: 'find', arguments: '{"q":"maps"}' }
  const parts = ['Two maps', 'find', 'note', '{"q":"maps"}']
  expect(saidBy('chat', { choices: [{ index: 0, message: { tool_calls: [custom], function_call } }] })).toEqual(parts)
  const pieces = [
    { tool_calls: [{ ...custom, custom: { name: 'note', input: 'Two ' } }] },
    { tool_calls: [{ index: 0, custom: { input: 'maps' } }] },
    { function_call: { name: 'find', arguments: '{"q":' } },
    { function_call: { arguments: '"maps"}' } },
  ]
  expect(saidBy('chat', ...pieces.map((delta) => ({ choices: [{ index: 0, delta }] })))).toEqual(parts)
})

test('a message yields the same text whole and streamed', () => {
  const whole = saidBy('messages', {
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Two maps' },
      { type: 'tool_use', name: 'find', input: { q: 'maps' } },
    ],
  })
  const pieces = saidBy(
    'messages',
    { type: 'message_start', message: { content: [], usage: {} } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Two ' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'maps' } },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', name: 'find', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"q":"maps"}' } },
  )
  expect(whole).toEqual(['Hm.', 'Two maps', 'find', '{"q":"maps"}'])
  expect(pieces).toEqual(whole)
})

test('a response yields the same text whole and streamed', () => {
  const whole = saidBy('responses', {
    output: [
      { id: 'm', type: 'message', content: [{ type: 'output_text', text: 'Two maps' }] },
      { id: 'f', type: 'function_call', name: 'find', arguments: '{"q":"maps"}' },
    ],
  })
  const pieces = saidBy(
    'responses',
    { type: 'response.output_item.added', item: { id: 'm', type: 'message' } },
    { type: 'response.output_text.delta', item_id: 'm', delta: 'Two ' },
    { type: 'response.output_text.delta', item_id: 'm', delta: 'maps' },
    { type: 'response.output_text.done', item_id: 'm', text: 'Two maps' },
    { type: 'response.output_item.added', item: { id: 'f', type: 'function_call', name: 'find', arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'f', delta: '{"q":"maps"}' },
    { type: 'response.completed', response: { output: [{ content: [{ text: 'Two maps' }] }] } },
  )
  expect(whole).toEqual(['Two maps', 'find', '{"q":"maps"}'])
  expect(pieces).toEqual(whole)
})

test('its length is that of all parts', () => {
  const said = new Said()
  SAID_IN.chat(said, { choices: [{ index: 0, message: { content: 'Two maps', tool_calls: [call] } }] })
  expect(said.units).toBe('Two maps'.length + 'find'.length + '{"q":"maps"}'.length)
})

test('reasoning belongs to the answer of a chat, under each name that providers have for it', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'Two maps' },
  ]
  for (const message of [
    { content: 'Two maps', reasoning_content: 'Hm.' },
    { content: 'Two maps', reasoning: 'Hm.' },
    { content },
  ])
    expect(saidBy('chat', { choices: [{ index: 0, message }] })).toEqual(['Hm.', 'Two maps'])
})

test('tools without a number of their own are told apart by their place', () => {
  const { index: _, ...unnumbered } = call
  const message = { tool_calls: [unnumbered, { function: { name: 'note', arguments: '{}' } }] }
  expect(saidBy('chat', { choices: [{ index: 0, message }] })).toEqual(['find', 'note', '{"q":"maps"}', '{}'])
})

test('two texts of an answer are two parts, whole and streamed', () => {
  const [one, other] = [
    { type: 'text', text: 'One map' },
    { type: 'text', text: 'Two maps' },
  ]
  const texts = ['One map', 'Two maps']
  const blocks = [one, other].map(({ text }, index) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: text.slice(0, 3) } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: text.slice(3) } },
  ])
  expect(saidBy('messages', { content: [one, other] })).toEqual(texts)
  expect(saidBy('messages', ...blocks.flat())).toEqual(texts)
  expect(saidBy('responses', { output: [{ content: [one] }, { content: [other] }] })).toEqual(texts)
})

test('events that repeat, or say something else, yield nothing', () => {
  expect(
    saidBy(
      'messages',
      { type: 'content_block_stop', index: 0, content_block: { type: 'text', text: 'again' } },
      { type: 'message_delta', index: 0, delta: { stop_reason: 'end_turn', text: 'again' } },
    ),
  ).toEqual([])
  expect(
    saidBy(
      'responses',
      { type: 'response.output_text.done', item_id: 'm', delta: 'again' },
      { type: 'response.output_item.done', item: { id: 'f', name: 'find' } },
    ),
  ).toEqual([])
})

test('content that is not text yields nothing', () => {
  expect(
    saidBy('chat', { choices: [{ index: 0, delta: { content: 3, tool_calls: 'x' } }] }, { choices: 'no' }),
  ).toEqual([])
  expect(saidBy('responses', { type: 'response.output_audio.delta', item_id: 'a', delta: 'AAAA' })).toEqual([])
  expect(saidBy('embeddings', { data: [{ embedding: [1] }] })).toEqual([])
})

test('error: an answer that does not end, in one part or in many', () => {
  const some = 'a'.repeat(1024 * 1024)
  const endless = (partOf: (at: number) => string, text: string) => () => {
    const said = new Said()
    for (let at = 0; at < 1_000_000; at += 1) said.add(partOf(at), text)
  }
  expect(endless(() => 'text 0', some)).toThrow(TooLong)
  expect(endless((at) => `text ${at}`, 'a')).toThrow(TooLong)
})
