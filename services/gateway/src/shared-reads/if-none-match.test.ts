import { expect, test } from 'vitest'
import { isKnown } from './if-none-match.ts'

test.each([
  [undefined, false],
  ['', false],
  ['*', true],
  [' * ', true],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b","a"', true],
  ['"x,y", "a"', true],
  ['a', false],
  ['"A"', false],
  ['"a-br"', false],
  ['"b", *', false],
])('%s: %s', (header, known) => {
  expect(isKnown(header, '"a"')).toBe(known)
})
