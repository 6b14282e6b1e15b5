import { expect, test } from 'vitest'
import { reasonOf } from './reason-of.ts'

test.each([
  [new Error('connect ECONNREFUSED'), 'connect ECONNREFUSED'],
  [
    new AggregateError([new Error('refused at ::1'), new Error('refused at 127.0.0.1')]),
    'refused at ::1, refused at 127.0.0.1',
  ],
  [new AggregateError([], 'all failed'), 'all failed'],
  [new AggregateError([]), 'AggregateError'],
  [new TypeError(), 'TypeError'],
  ['words', 'words'],
  ['', 'unknown'],
])('reasonOf: %s has the reason “%s”', (error, reason) => expect(reasonOf(error)).toBe(reason))
