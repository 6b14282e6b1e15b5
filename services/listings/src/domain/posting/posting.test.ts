import { DAY_MS, isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { MOST_OPEN_MS, openUntil, statusAt } from './posting.ts'

const NOW = Date.parse('2026-11-20T12:30:00.000Z')

describe('until when it is open', () => {
  test('thirty days when nothing is said', () => {
    expect(openUntil(undefined, NOW)).toBe(NOW + 30 * DAY_MS)
  })

  test('as long as is said, up to the last moment that may be', () => {
    for (const until of [NOW + 1, NOW + DAY_MS, NOW + MOST_OPEN_MS]) expect(openUntil(isoTime(until), NOW)).toBe(until)
  })

  test('error: now, the past, and what lies too far ahead are refused with the last moment that may be', () => {
    for (const until of [NOW, NOW - 1, NOW + MOST_OPEN_MS + 1]) {
      expect(openUntil(isoTime(until), NOW)).toMatchObject({
        refusal: 'invalid_request',
        field: 'expiresAt',
        message: expect.stringContaining(isoTime(NOW + MOST_OPEN_MS)),
      })
    }
  })
})

test('time ends what is open, from its last moment on, and nothing else', () => {
  expect(statusAt({ status: 'open', expiresAt: NOW + 1 }, NOW)).toBe('open')
  expect(statusAt({ status: 'open', expiresAt: NOW }, NOW)).toBe('expired')
  expect(statusAt({ status: 'closed', expiresAt: NOW }, NOW)).toBe('closed')
  expect(statusAt({ status: 'taken_down', expiresAt: NOW }, NOW)).toBe('taken_down')
})
