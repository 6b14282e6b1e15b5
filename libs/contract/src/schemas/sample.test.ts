import { expect, test } from 'vitest'
import { EndpointSample } from './sample.ts'

const reasonOf = (body: unknown) => EndpointSample.safeParse({ body }).error?.issues.map(({ message }) => message)

test('a body of 8192 characters is a sample, and a longer one is none', () => {
  const rest = JSON.stringify({ body: { a: '' } }).length
  expect(reasonOf({ a: 'a'.repeat(8192 - rest) })).toBeUndefined()
  expect(reasonOf({ a: 'a'.repeat(8193 - rest) })).toEqual(['is longer than 8192 characters'])
})

test('a body that is nested more deeply than can be written is too long, and no fault', () => {
  expect(reasonOf(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toEqual(['is longer than 8192 characters'])
})

test('a body with half a character, or NUL, is none', () => {
  expect(reasonOf({ a: '\ud800' })).toEqual(['holds NUL or half a surrogate pair'])
  expect(reasonOf({ a: '\0' })).toEqual(['holds NUL or half a surrogate pair'])
})
