import { describe, expect, test } from 'vitest'
import { garbage, PROVIDER_FAULTS, ProviderError } from './provider-error.ts'

describe('ProviderError', () => {
  test('default: has the fault, and nothing that was not given', () => {
    const error = new ProviderError('timeout', 'no answer')
    expect(error).toMatchObject({ name: 'ProviderError', fault: 'timeout', message: 'no answer' })
    expect([error.retryAfterMs, error.cause]).toEqual([undefined, undefined])
  })

  test('behavior: carries the cause, and how long the provider asked us to wait', () => {
    const cause = new Error('refused')
    expect(new ProviderError('http', 'HTTP 503', { cause, retryAfterMs: 1_500 })).toMatchObject({
      cause,
      retryAfterMs: 1_500,
    })
  })
})

test('garbage: names what the answer should have been', () => {
  expect(garbage('a block')).toMatchObject({ fault: 'garbage', message: 'The answer is not a block' })
})

test('PROVIDER_FAULTS: the labels under which faults are counted', () => {
  expect(PROVIDER_FAULTS).toEqual([
    'unreachable',
    'timeout',
    'rate_limited',
    'http',
    'garbage',
    'refused',
    'too_large',
    'inconsistent',
    'foreign',
  ])
})
