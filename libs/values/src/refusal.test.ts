import { describe, expect, test } from 'vitest'
import { isRefusal, refuse } from './index.ts'

describe('refuse', () => {
  test('default: the code alone', () => {
    expect(refuse('not_found')).toEqual({ refusal: 'not_found' })
  })

  test('default: the code with its details', () => {
    const more = { message: 'Too early.', field: 'window.from', retryAfterSeconds: 3, details: { outcome: 'same' } }
    expect(refuse('rate_limited', more)).toEqual({ refusal: 'rate_limited', ...more })
  })
})

describe('isRefusal', () => {
  test('default: a result of refuse is a refusal', () => {
    expect(isRefusal(refuse('not_found'))).toBe(true)
  })

  test.each([
    undefined,
    null,
    'refusal',
    7,
    true,
    {},
    [],
    { refusal: undefined },
    { refusal: 404 },
    { code: 'not_found' },
  ])('error: %j is an answer and not a refusal', (value) => {
    expect(isRefusal(value)).toBe(false)
  })
})
