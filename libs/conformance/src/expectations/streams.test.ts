import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { acceptedStream } from './streams.ts'

const stream = (text: string, headers: Record<string, string> = {}) => ({
  status: 200,
  headers: new Headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': 'a1',
    'x-content-type-options': 'nosniff',
    'ratelimit-policy': '"model";q=600;w=6',
    ratelimit: '"model";r=599;t=1',
    ...headers,
  }),
  text,
  json: () => JSON.parse(text) as unknown,
})

test('returns events in order, and skips comments', () => {
  const text = 'event: ping\ndata: {"a":1}\n\n: still here\n\ndata: one\ndata: two\n\ndata: [DONE]\n\n'
  expect(acceptedStream(router.createChatCompletion, stream(text))).toEqual([
    { event: 'ping', data: '{"a":1}' },
    { event: undefined, data: 'one\ntwo' },
    { event: undefined, data: '[DONE]' },
  ])
})

test('error: a stream that breaks off within an event, a cacheable one, JSON', () => {
  const whole = 'data: [DONE]\n\n'
  for (const broken of [
    stream('data: {"a":1}\n\ndata: {"b"'),
    stream(whole, { 'cache-control': 'public' }),
    stream(whole, { 'content-type': 'application/json' }),
  ]) {
    expect(() => acceptedStream(router.createChatCompletion, broken)).toThrow()
  }
})
