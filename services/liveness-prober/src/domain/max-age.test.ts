import { expect, test } from 'vitest'
import { maxAgeSeconds } from './max-age.ts'

test.each([
  ['max-age=3600', 3_600],
  ['public, Max-Age=60', 60],
  ['max-age="60"', 60],
  ['max-age = 60', 60],
  ['max-age=60 , public', 60],
  [['public', 'max-age=60'], 60],
  ['max-age=0', 0],
  ['max-age=60, must-revalidate, max-age=30', 30],
  [['max-age=60', 'no-store'], 0],
  ['no-store', 0],
  ['max-age=600, NO-CACHE', 0],
  ['no-cache="set-cookie"', 0],
  [`max-age=${'9'.repeat(400)}`, 2 ** 31],
  ['max-age=-1', 0],
  ['max-age=1h', 0],
  ['max-age', 0],
])('default: %j allows %i s', (cacheControl, seconds) => {
  expect(maxAgeSeconds(cacheControl)).toBe(seconds)
})

test.each([[undefined], [''], ['public'], ['s-maxage=60'], ['x-max-age=60']])(
  'behavior: %j sets no age',
  (cacheControl) => {
    expect(maxAgeSeconds(cacheControl)).toBeNull()
  },
)
