import { describe, expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const NOW = Date.parse('1994-11-06T08:49:07Z')

describe('retryAfterMs', () => {
  test.each([
    ['30', 30_000],
    [' 86400 ', 86_400_000],
    ['0', 0],
    [['30', '60'], 30_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
    ['Sun Nov  6 08:49:37 1994', 30_000],
    ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ])('%j', (value, ms) => expect(retryAfterMs(value, NOW)).toBe(ms))

  test.each([
    undefined,
    '',
    '-1',
    '1.5',
    '1e9',
    'soon',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    'Sun, 99 Foo 1994 08:49:37 GMT',
  ])('%j asks for nothing', (value) => expect(retryAfterMs(value, NOW)).toBeNull())
})
