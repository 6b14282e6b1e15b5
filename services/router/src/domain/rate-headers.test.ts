import { expect, test } from 'vitest'
import { rateHeaders } from './rate-headers.ts'

const rates = {
  requests: { limit: 60, remaining: 57, resetSeconds: 3 },
  tokens: { limit: 100_000, remaining: 99_000, resetSeconds: 1 },
}
const NOON = Date.parse('2026-11-23T12:00:00Z')

test('OpenAI’s clients get what is left, and the duration until all of it is available again', () => {
  expect(rateHeaders('chat', rates, NOON)).toMatchObject({
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '57',
    'x-ratelimit-reset-requests': '3s',
    'x-ratelimit-limit-tokens': '100000',
    'x-ratelimit-remaining-tokens': '99000',
    'x-ratelimit-reset-tokens': '1s',
  })
})

test('Anthropic’s clients get the moment when all of it is available again', () => {
  const headers = rateHeaders('messages', rates, NOON)
  expect(headers).toMatchObject({
    'anthropic-ratelimit-requests-limit': '60',
    'anthropic-ratelimit-requests-remaining': '57',
    'anthropic-ratelimit-requests-reset': '2026-11-23T12:00:03.000Z',
    'anthropic-ratelimit-tokens-remaining': '99000',
  })
  expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([])
})

test('the fields of the IETF draft name both policies and what is left of each', () => {
  expect(rateHeaders('responses', rates, NOON)).toMatchObject({
    'ratelimit-policy': '"requests";q=60;w=60, "tokens";q=100000;w=60;qu="callboard-tokens"',
    ratelimit: '"requests";r=57;t=3, "tokens";r=99000;t=1',
  })
})
