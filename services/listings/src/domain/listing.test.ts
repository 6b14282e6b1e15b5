import { expect, test } from 'vitest'
import { operationKey } from './listing.ts'

test('operationKey: a URL is another operation by another method, and what was recorded by a key is found again', () => {
  expect(operationKey({ method: 'GET', url: 'https://api.example/quote' })).toBe('GET https://api.example/quote')
})
