import { expect, test } from 'vitest'
import { runsBeside } from './releases.ts'

test.each([
  ['0.4.2', '0.4.0', true],
  ['0.4.2', '0.3.7', true],
  ['0.4.2', '0.2.9', false],
  ['0.2.9', '0.4.2', false],
  ['1.0.0', '0.9.3', true],
  ['1.1.0', '0.9.3', false],
  ['2.0.0', '0.9.3', false],
  ['1.4.0', '1.5.0', true],
  ['0.4.0-rc.1', '0.3.7', true],
  ['local', 'local', true],
  ['local', '0.3.7', false],
])('%s beside %s: %s', (one, other, expected) => {
  expect(runsBeside(one, other)).toBe(expected)
})
