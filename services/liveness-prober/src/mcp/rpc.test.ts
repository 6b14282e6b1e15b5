import { describe, expect, test } from 'vitest'
import { answerIn, answerWatch, rpcText } from './rpc.ts'

const STREAM = 'text/event-stream; charset=utf-8'
const answer = (id: unknown, result: unknown = {}) => JSON.stringify({ jsonrpc: '2.0', id, result })
const event = (data: string) => `event: message\ndata: ${data}\n\n`

describe('rpcText', () => {
  test('default: a request has an id, a notification has none', () => {
    expect(JSON.parse(rpcText('tools/list', { cursor: 'a' }, 7))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/list',
      params: { cursor: 'a' },
    })
    expect(JSON.parse(rpcText('notifications/initialized', undefined))).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/initialized',
    })
  })
})

describe('answerIn', () => {
  test('default: a JSON body is the answer, a result or an error', () => {
    expect(answerIn('application/json', answer(1, { a: 1 }), 1)).toEqual({ result: { a: 1 } })
    expect(answerIn('application/json', '{"id":1,"error":{"code":-1}}', 1)).toEqual({ error: { code: -1 } })
  })

  test('default: in an event stream the answer is found among other messages', () => {
    const told = event('{"jsonrpc":"2.0","method":"notifications/message"}')
    expect(answerIn(STREAM, told + event(answer(2)) + event(answer(1, 'ours')), 1)).toEqual({ result: 'ours' })
    expect(answerIn('TEXT/EVENT-STREAM', event(answer(1)), 1)).toEqual({ result: {} })
  })

  test('behavior: an event with several lines of data is one message', () => {
    expect(answerIn(STREAM, 'data: {"id":1,\ndata: "result":"both"}\n\n', 1)).toEqual({ result: 'both' })
  })

  test.each([
    ['application/json', answer(2)],
    ['application/json', answer('1')],
    ['application/json', '[]'],
    ['application/json', ''],
    ['application/json', event(answer(1))],
    ['text/event-streams', event(answer(1))],
    [STREAM, answer(1)],
    [STREAM, `data: ${answer(1)}`],
    ['', '{'],
  ])('behavior: as %s there is no answer in %j', (contentType, body) => {
    expect(answerIn(contentType, body, 1)).toBeUndefined()
  })
})

test.each(['\r', '\n', 'x\n', 'x\r', ': ping\r\n'])(
  'an answer after some thousands of lines %j is found, and none is looked for after a hundred thousand',
  (line) => {
    const stream = (lines: number) => line.repeat(lines) + event(answer(1))
    const isWatched = (text: string) => answerWatch(1)(Buffer.from(text))
    expect([isWatched(stream(4_990)), answerIn(STREAM, stream(4_990), 1)]).toEqual([true, { result: {} }])
    expect([isWatched(stream(120_000)), answerIn(STREAM, stream(120_000), 1)]).toEqual([false, undefined])
  },
)

test('lines are read across pieces, with any end and any character', () => {
  const text = `${'é😀'.repeat(700)}`
  for (const end of ['\n', '\r', '\r\n']) {
    for (const before of [0, 1, 2, 3, 1_000, 1_001, 1_022, 1_023]) {
      const stream = `:${'x'.repeat(before)}${end}data: ${answer(1, text)}${end}${end}:${end}`
      expect(answerIn(STREAM, stream, 1), JSON.stringify([end, before])).toEqual({ result: text })
    }
  }
})

describe('answerWatch', () => {
  const bytes = Buffer.from(event('{"method":"a"}') + event(answer(1, 'é')))

  test('default: says when the answer has arrived, however the bytes are split', () => {
    const watch = answerWatch(1)
    const said = [...bytes].map((byte) => watch(Buffer.of(byte)))
    expect(said.slice(0, -1)).not.toContain(true)
    expect(said.at(-1)).toBe(true)
  })

  test('behavior: later bytes change nothing, and the answer to another request does not count', () => {
    const watch = answerWatch(1)
    expect(watch(Buffer.from(event(answer(2))))).toBe(false)
    expect(watch(Buffer.concat([bytes, Buffer.from(event('{}'))]))).toBe(true)
    expect(watch(Buffer.from(event('{}')))).toBe(true)
  })
})
