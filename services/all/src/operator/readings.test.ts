import { expect, test } from 'vitest'
import { isHeight, momentOf, settingsOf } from './readings.ts'

test.each([
  ['2026-11-24T18:00:00Z', '2026-11-24T18:00:00.000Z'],
  ['2026-11-24T20:00+02:00', '2026-11-24T18:00:00.000Z'],
  ['2026-11-24T18:00:00.123Z', '2026-11-24T18:00:00.123Z'],
])('%s is the moment %s', (text, iso) => {
  expect(momentOf(text).toISOString()).toBe(iso)
})

test.each(['5', '2026-11-24', '2026-11-24 18:00', '2026-11-24T18:00:00', 'yesterday', '2026-13-24T18:00:00Z'])(
  '%s is no moment: its offset or more is not told',
  (text) => {
    expect(momentOf(text).getTime()).toBeNaN()
  },
)

test('a height is a number of up to fifteen digits', () => {
  expect(['0', '26000000', '9'.repeat(15)].every(isHeight)).toBe(true)
  expect(['', '-1', '1e3', '0x10', '9'.repeat(16), '1 2'].some(isHeight)).toBe(false)
})

test('hours and filters are told apart in any order, and a filter may hold a second =', () => {
  expect(settingsOf(['network=eip155:8453', '6', 'query=a=b'])).toEqual({
    filters: { network: 'eip155:8453', query: 'a=b' },
    intervalHours: 6,
  })
  expect(settingsOf([])).toEqual({ filters: {} })
  expect(settingsOf(['6', 'network'])).toBeUndefined()
})
