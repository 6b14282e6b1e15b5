import { expect, test } from 'vitest'
import { whyUnreachable } from './unreachable.ts'

const coded = (code: string) => Object.assign(new Error('connect'), { code })

test.each([
  [new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), 'nothing listens at that address'],
  [
    new TypeError('fetch failed', { cause: new AggregateError([coded('ENOTFOUND')]) }),
    'there is no host with that name',
  ],
  [new DOMException('The operation timed out', 'TimeoutError'), 'it did not answer in time'],
  [new TypeError('fetch failed', { cause: coded('CERT_HAS_EXPIRED') }), 'its certificate has expired'],
  [new TypeError('fetch failed', { cause: coded('ESOMETHING') }), 'the connection failed'],
  [
    new TypeError('fetch failed', { cause: new Error('bad port') }),
    'requests to that port are blocked, because it belongs to another protocol',
  ],
  ['a text', 'the connection failed'],
])('%s', (error, words) => {
  expect(whyUnreachable(error)).toBe(words)
})
