import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, SECOND_MS, unixSeconds } from './index.ts'

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [1_800_000_000_123, '2027-01-15T08:00:00.123Z'],
])('isoTime: %i is %s, in UTC and with all three digits', (epochMs, text) => {
  expect(isoTime(epochMs)).toBe(text)
})

test.each([
  [0, 0],
  [999, 0],
  [1_000, 1],
  [1_799_999_999_999, 1_799_999_999],
  [1_800_000_000_000, 1_800_000_000],
])('unixSeconds: %i ms is %i s, and only full seconds count', (epochMs, seconds) => {
  expect(unixSeconds(epochMs)).toBe(seconds)
})

test('the units are milliseconds', () => {
  expect([SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([1_000, 60_000, 3_600_000, 86_400_000])
})
