import { expect, test } from 'vitest'
import { whyUnreachable } from './unreachable.ts'

const coded = (code: string) => Object.assign(new Error('connect'), { code })

test.each([
  [new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), 'nothing listens there'],
  [new TypeError('fetch failed', { cause: new AggregateError([coded('ENOTFOUND')]) }), 'there is no host of that name'],
  [new DOMException('The operation timed out', 'TimeoutError'), 'it does not answer in time'],
  [new TypeError('fetch failed', { cause: coded('CERT_HAS_EXPIRED') }), 'its certificate has expired'],
  [new TypeError('fetch failed', { cause: coded('ESOMETHING') }), 'the connection failed'],
  [
    new TypeError('fetch failed', { cause: new Error('bad port') }),
    'that port is never called, for it is another protocol’s',
  ],
  ['a text', 'the connection failed'],
])('%s', (error, words) => {
  expect(whyUnreachable(error)).toBe(words)
})
